import { readFileSync } from 'node:fs';
import { BackgroundModule } from '@aos/background';
import { OperationsModule } from '@aos/operations';
import {
  foundationEntities,
  foundationMigrations,
  migrate,
  PersistenceModule,
  schemaOf,
  type DatabaseModel,
  type DatabaseSettings,
} from '@aos/persistence';
import { contractTable } from '@aos/contracts';
import { MessagingModule, ServiceIdentity } from '@aos/messaging';
import { PlatformModule } from '@aos/platform';
import { KeyRing } from '@aos/secrets';
import { Module, type DynamicModule } from '@nestjs/common';
import { withAuthority } from './secured-stores.js';
import type { ServiceConfig } from './service-config.js';
import type { ServiceDefinition } from './service-definition.js';

/** The root module of a service: platform, messaging, persistence, and its features on top. */
@Module({})
export class ServiceModule {
  static forRoot<Config extends ServiceConfig>(
    definition: ServiceDefinition<Config>,
    config: Config,
    { sharesWork = true }: { readonly sharesWork?: boolean } = {},
  ): DynamicModule {
    const { name, table = contractTable, roles } = definition;
    const identity = new ServiceIdentity(name, table, sharesWork, roles?.(config));
    const keyRing = KeyRing.parse(config.SECRETS_KEYS);
    return {
      module: ServiceModule,
      imports: [
        PlatformModule.forRoot({ serviceName: definition.name, config }),
        MessagingModule.forRoot({
          identity,
          keyRing,
          redis: {
            url: config.REDIS_URL,
            prefix: config.REDIS_PREFIX,
            ca: config.REDIS_TLS_CA && readFileSync(config.REDIS_TLS_CA, 'utf8'),
          },
          rpcTimeoutMs: config.RPC_TIMEOUT_MS,
          maxRequestsInFlight: config.RPC_MAX_IN_FLIGHT,
          jobLockMs: config.JOB_LOCK_MS,
        }),
        BackgroundModule,
        PersistenceModule.forRoot({
          service: definition.name,
          database: databaseOf(definition.name, config),
          model: modelOf(definition),
          keyRing,
          outboxRetentionHours: config.OUTBOX_RETENTION_HOURS,
          deadEventRetentionDays: config.DEAD_EVENT_RETENTION_DAYS,
          gatherEventsMs: definition.gatherEventsMs,
        }),
        OperationsModule,
        ...definition.modules(config),
      ],
    };
  }
}

export function databaseOf(service: string, config: ServiceConfig): DatabaseSettings {
  return {
    url: withAuthority(config.DATABASE_URL, config.DATABASE_TLS_CA),
    schema: schemaOf(service),
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: service,
  };
}

/** All tables of a service: those every service has, then its own. */
export function modelOf(definition: Pick<ServiceDefinition, 'model'>): DatabaseModel {
  return {
    entities: [...foundationEntities, ...definition.model.entities],
    migrations: [...foundationMigrations, ...definition.model.migrations].sort(byTime),
  };
}

/** A migration's name ends with the time at which it was written. */
function byTime(a: { readonly name: string }, b: { readonly name: string }): number {
  return Number(a.name.slice(-13)) - Number(b.name.slice(-13));
}

export async function migrateService<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
  config: Config,
): Promise<string[]> {
  return migrate(databaseOf(definition.name, config), modelOf(definition));
}
