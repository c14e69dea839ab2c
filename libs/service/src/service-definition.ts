import type { ContractTable } from '@aos/contracts';
import type { DatabaseModel } from '@aos/persistence';
import type { ServiceRoles } from '@aos/platform';
import type { DynamicModule, Type } from '@nestjs/common';
import type { z } from 'zod';
import { serviceConfigSchema, type ServiceConfig } from './service-config.js';

export interface ServiceModel {
  readonly entities: DatabaseModel['entities'];
  /** The statements that create the tables of version 1.0. They never change after a release. */
  readonly tables: readonly string[];
  /** The changes since, which expand or contract (ADR 24). */
  readonly migrations?: DatabaseModel['migrations'];
}

/** What makes a service: its name, its settings, its tables and its features. */
export interface ServiceDefinition<Config extends ServiceConfig = ServiceConfig> {
  readonly name: string;
  readonly configSchema: z.ZodType<Config>;
  /** The tables of the service, beside those that every service has. */
  readonly model: ServiceModel;
  readonly modules: (config: Config) => readonly (Type | DynamicModule)[];
  /** What a process with these settings does of the service's work; all of it unless it says so. */
  readonly roles?: (config: Config) => ServiceRoles;
  /** The least time between two batches of events, where what they lead to may be late. */
  readonly gatherEventsMs?: number;
  /** Everything declared in contracts, unless a test brings more. */
  readonly table?: ContractTable;
}

/** A service without settings of its own. */
export function defineService(
  definition: Omit<ServiceDefinition, 'configSchema' | 'modules'> & { modules: readonly Type[] },
): ServiceDefinition {
  return { ...definition, configSchema: serviceConfigSchema, modules: () => definition.modules };
}
