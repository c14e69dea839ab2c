import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { BackgroundModule } from '@aos/background';
import {
  baselineOf,
  migrate,
  missingMigrations,
  PersistenceModule,
  schemaOf,
  type DatabaseModel,
  type DatabaseSettings,
} from '@aos/persistence';
import { contractTable } from '@aos/contracts';
import { EventsModule, type EventEntries } from '@aos/events';
import {
  MessagingModule,
  type InProcessServices,
  type RedisSettings,
  type SentinelSettings,
} from '@aos/messaging';
import { PlatformModule, ServiceIdentity } from '@aos/platform';
import { KeyRing } from '@aos/secrets';
import { Module, type DynamicModule } from '@nestjs/common';
import { foundation } from './foundation/foundation.js';
import { OperationsModule } from './operations/operations.module.js';
import { passingRefusal } from './operations/refusals.js';
import { withAuthority } from './stores/secured-stores.js';
import type { DatabaseConfig, MessagingConfig, ServiceConfig } from './service-config.js';
import type { ServiceDefinition } from './service-definition.js';

/** What is around a service in its process. */
export interface ServiceSurroundings {
  /** Whether it takes requests, jobs and events; it does unless it is told otherwise. */
  readonly sharesWork?: boolean;
  /** The services beside it, if there are any. */
  readonly neighbours?: InProcessServices;
  /** What they share of the entries of event streams. */
  readonly eventEntries?: EventEntries;
  /** Whether its stores are there and its tables up to date, so that it need not see to that. */
  readonly isPrepared?: boolean;
}

/** The root module of a service: platform, messaging, persistence, events, and its features on top. */
@Module({})
export class ServiceModule {
  static forRoot<Config extends ServiceConfig>(
    definition: ServiceDefinition<Config>,
    config: Config,
    { sharesWork = true, neighbours, eventEntries }: ServiceSurroundings = {},
  ): DynamicModule {
    const { name, table = contractTable, roles } = definition;
    const identity = new ServiceIdentity(name, table, sharesWork, roles?.(config));
    const keyRing = KeyRing.parse(config.SECRETS_KEYS);
    return {
      module: ServiceModule,
      imports: [
        PlatformModule.forRoot({ identity, config }),
        MessagingModule.forRoot({
          identity,
          keyRing: KeyRing.parse(config.RPC_KEYS ?? config.SECRETS_KEYS),
          redis: redisOf(config),
          neighbours,
          rpcTimeoutMs: config.RPC_TIMEOUT_MS,
          maxRequestsInFlight: config.RPC_MAX_IN_FLIGHT,
          refusalFor: passingRefusal,
          jobLockMs: config.JOB_LOCK_MS,
        }),
        BackgroundModule,
        PersistenceModule.forRoot({
          database: databaseOf(definition.name, config),
          model: modelOf(definition),
          keyRing,
        }),
        EventsModule.forRoot({
          streamLength: config.EVENT_STREAM_LENGTH,
          entries: eventEntries,
          retentionHours: config.OUTBOX_RETENTION_HOURS,
          deadEventRetentionDays: config.DEAD_EVENT_RETENTION_DAYS,
          gatherMs: definition.gatherEventsMs,
        }),
        OperationsModule,
        ...definition.modules(config),
      ],
    };
  }
}

export function redisOf(config: MessagingConfig): RedisSettings {
  return {
    url: config.REDIS_URL,
    prefix: config.REDIS_PREFIX,
    ca: config.REDIS_TLS_CA && readFileSync(config.REDIS_TLS_CA, 'utf8'),
    sentinel: sentinelOf(config),
  };
}

function sentinelOf(config: MessagingConfig): SentinelSettings | undefined {
  const { REDIS_SENTINELS: hosts, REDIS_SENTINEL_MASTER: master } = config;
  if (hosts.length === 0) return undefined;
  return {
    hosts,
    master,
    user: config.REDIS_SENTINEL_USER,
    password: config.REDIS_SENTINEL_PASSWORD,
    isSecured: config.REDIS_SENTINEL_TLS,
  };
}

export function databaseOf(service: string, config: DatabaseConfig): DatabaseSettings {
  const { DATABASE_DIRECT_URL: directUrl, DATABASE_TLS_CA: ca } = config;
  return {
    url: withAuthority(config.DATABASE_URL, ca),
    directUrl: directUrl && withAuthority(directUrl, ca),
    schema: schemaOf(service),
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: service,
  };
}

/** Lists all tables of a service: those every service has, then its own. */
export function modelOf(definition: Pick<ServiceDefinition, 'model'>): DatabaseModel {
  return {
    entities: [...foundation.entities, ...definition.model.entities],
    migrations: [
      baselineOf([...foundation.tables, ...definition.model.tables]),
      ...(definition.model.migrations ?? []),
    ],
  };
}

export async function migrateService(
  definition: Pick<ServiceDefinition, 'name' | 'model'>,
  config: DatabaseConfig,
): Promise<string[]> {
  return migrate(databaseOf(definition.name, config), modelOf(definition));
}

const lookForMigrationsEveryMs = 1_000;

/**
 * Sees to it that the tables are those that this version needs: makes them so, or waits for the step of the deployment
 * that does. On tables of before, requests would fail one by one; so it does not start there.
 */
export async function prepareTables<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
  config: Config,
): Promise<void> {
  if (config.MIGRATE_ON_START) {
    await migrateService(definition, config);
    return;
  }
  const deadline = Date.now() + config.MIGRATION_WAIT_MS;
  for (;;) {
    const missing = await missingMigrations(databaseOf(definition.name, config), modelOf(definition));
    if (missing.length === 0) return;
    if (Date.now() >= deadline) {
      throw new Error(
        `The tables of ${definition.name} are of an older version: ${missing.join(', ')} not made`,
      );
    }
    await delay(lookForMigrationsEveryMs);
  }
}
