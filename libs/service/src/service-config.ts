import {
  baseConfigSchema,
  booleanText,
  ConfigError,
  loadConfig,
  milliseconds,
  secretsKeys,
  wholeNumber,
  type Environment,
} from '@aos/platform';
import { minConnections } from '@aos/persistence';
import { z } from 'zod';
import { databaseUrl, hostList } from './stores/store-schemas.js';
import { storeProblems } from './stores/secured-stores.js';

/** The variables of every service; an app extends it with its own. */
export const serviceConfigSchema = baseConfigSchema.extend({
  /** May name several hosts, of which one takes writes. */
  DATABASE_URL: databaseUrl,
  /** The server itself, where `DATABASE_URL` is a pooler in transaction mode. */
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  /** All connections of one process. */
  DATABASE_POOL_SIZE: wholeNumber(minConnections, 1000).default(10),
  /** Who says which Redis is the master; `REDIS_URL` then gives user, password and TLS, and its host is not used. */
  REDIS_SENTINELS: hostList.default([]),
  REDIS_SENTINEL_MASTER: z.string().default('mymaster'),
  REDIS_SENTINEL_USER: z.string().optional(),
  REDIS_SENTINEL_PASSWORD: z.string().optional(),
  REDIS_SENTINEL_TLS: booleanText.default(false),
  /** Keys that seal what travels between services, where each has `SECRETS_KEYS` of its own. */
  RPC_KEYS: secretsKeys.optional(),
  RPC_TIMEOUT_MS: milliseconds.default(10_000),
  /** Requests that one process works on at once; further ones wait where another replica can take them. */
  RPC_MAX_IN_FLIGHT: wholeNumber(1, 10_000).default(256),
  /** Events of a service that Redis keeps for consumers; who lags further reads them from the service. */
  EVENT_STREAM_LENGTH: wholeNumber(1_000, 10_000_000).default(50_000),
  /** After how long a job whose worker died is given out again. */
  JOB_LOCK_MS: wholeNumber(1_000, 600_000).default(30_000),
  OUTBOX_RETENTION_HOURS: wholeNumber(1, 24 * 365).default(7 * 24),
  DEAD_EVENT_RETENTION_DAYS: wholeNumber(1, 3650).default(30),
  /** How often billing is told of what is counted many at a time: deliveries, calls, bytes. */
  USAGE_REPORT_EVERY_MS: wholeNumber(50, 3_600_000).default(10_000),
  /** How long a process may go by what it knew of a team's plan and budget; 0: it reads them each time. */
  PLAN_CACHE_MS: wholeNumber(0, 60_000).default(2_000),
  /** Off where a deployment migrates in a step of its own. */
  MIGRATE_ON_START: booleanText.default(true),
  /** How long a process waits for that step before it ends. */
  MIGRATION_WAIT_MS: milliseconds.default(60_000),
});

export type ServiceConfig = z.output<typeof serviceConfigSchema>;

/** What of it leads to the database of a service; for programs that are no service. */
export const databaseConfigSchema = serviceConfigSchema.pick({
  DATABASE_URL: true,
  DATABASE_DIRECT_URL: true,
  DATABASE_POOL_SIZE: true,
  DATABASE_TLS_CA: true,
});

export type DatabaseConfig = z.output<typeof databaseConfigSchema>;

/** What a program needs that only migrates. */
export const migrationConfigSchema = databaseConfigSchema.extend({
  LOG_LEVEL: serviceConfigSchema.shape.LOG_LEVEL,
});

export type MigrationConfig = z.output<typeof migrationConfigSchema>;

/** What of it leads to the services: Redis, and the keys that seal what goes over it. */
export const messagingConfigSchema = serviceConfigSchema.pick({
  REDIS_URL: true,
  REDIS_TLS_CA: true,
  REDIS_PREFIX: true,
  REDIS_SENTINELS: true,
  REDIS_SENTINEL_MASTER: true,
  REDIS_SENTINEL_USER: true,
  REDIS_SENTINEL_PASSWORD: true,
  REDIS_SENTINEL_TLS: true,
  SECRETS_KEYS: true,
  RPC_KEYS: true,
});

export type MessagingConfig = z.output<typeof messagingConfigSchema>;

/**
 * `RUNS_DATABASE_URL` gives the service `runs` a database of its own; else all share `DATABASE_URL`. The way around a
 * pooler belongs to its database.
 */
export function loadServiceConfig<Schema extends z.ZodType>(
  service: string,
  schema: Schema,
  environment: Environment,
): z.output<Schema> {
  const prefix = service.replaceAll('-', '_').toUpperCase();
  const own = environment[`${prefix}_DATABASE_URL`];
  const direct = environment[`${prefix}_DATABASE_DIRECT_URL`];
  const settings = own ? { ...environment, DATABASE_URL: own, DATABASE_DIRECT_URL: direct } : environment;
  const problems = storeProblems(settings);
  try {
    const config = loadConfig(schema, settings, service);
    if (problems.length === 0) return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.unshift(...error.problems);
  }
  throw new ConfigError(service, problems);
}
