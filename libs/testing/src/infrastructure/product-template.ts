import { pathToFileURL } from 'node:url';
import { serviceNames } from '@aos/contracts';
import type { ServiceConfig, ServiceDefinition } from '@aos/service-host';
import { appModule } from '../services/entries.js';
import { ensureTemplate } from './test-database.js';

/**
 * Makes the database from which `createProductDatabase` clones, with the schemas of all services, and gives its name.
 * It reads the built services, so it is made once for a run, outside of the tests.
 */
export async function ensureProductTemplate(serverUrl: string): Promise<string> {
  return ensureTemplate(await productServices(), serverUrl);
}

/** All services of the product, as they were built. */
export function productServices(): Promise<ServiceDefinition<ServiceConfig>[]> {
  return Promise.all(serviceNames.map(definitionOf));
}

async function definitionOf(service: string): Promise<ServiceDefinition<ServiceConfig>> {
  const exported = (await import(pathToFileURL(appModule(service)).href)) as {
    readonly service?: ServiceDefinition<ServiceConfig>;
    /** The gateway is put together with the table of operations that it serves. */
    readonly gatewayService?: () => ServiceDefinition<ServiceConfig>;
  };
  const definition = exported.service ?? exported.gatewayService?.();
  if (!definition) throw new Error(`The app ${service} exports no service`);
  return definition;
}
