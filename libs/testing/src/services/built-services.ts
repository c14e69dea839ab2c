import { pathToFileURL } from 'node:url';
import { serviceNames, type ServiceName } from '@aos/contracts';
import {
  loadServiceConfig,
  startService,
  type RunningService,
  type ServiceConfig,
  type ServiceDefinition,
} from '@aos/service';
import { appModule } from './entries.js';

/** All services of the product, as they were built. */
export function productServices(): Promise<ServiceDefinition<ServiceConfig>[]> {
  return Promise.all(serviceNames.map(builtService));
}

/**
 * A service of the product in the process of the test, for those beside the one that is tested: a process of its own takes
 * a second of the processor to start, and is for tests that kill it.
 */
export async function startServiceHere(
  name: ServiceName,
  environment: Record<string, string>,
): Promise<RunningService> {
  const service = await builtService(name);
  return startService(service, loadServiceConfig(name, service.configSchema, environment));
}

async function builtService(name: string): Promise<ServiceDefinition<ServiceConfig>> {
  const exported = (await import(pathToFileURL(appModule(name)).href)) as {
    readonly service?: ServiceDefinition<ServiceConfig>;
    /** The gateway is put together with the table of operations that it serves. */
    readonly gatewayService?: () => ServiceDefinition<ServiceConfig>;
  };
  const definition = exported.service ?? exported.gatewayService?.();
  if (!definition) throw new Error(`The app ${name} exports no service`);
  return definition;
}
