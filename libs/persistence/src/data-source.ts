import pg from 'pg';
import { DataSource, type DataSourceOptions, type Logger, type MixedList } from 'typeorm';
import { connectionShares } from './connections/connection-shares.js';
import { wayTo, type DatabaseWay } from './connections/database-socket.js';
import { firstConnection } from './connections/ping-database.js';
import { transactionModeClient } from './connections/transaction-mode-client.js';
import { WritableClient } from './connections/writable-client.js';

export interface DatabaseSettings {
  /** May name several hosts, of which one takes writes. */
  readonly url: string;
  /** The server itself, where `url` is a pooler in transaction mode: for what needs a session of its own. */
  readonly directUrl?: string;
  /** Each service has a schema of its own and sees no other. */
  readonly schema: string;
  /** All connections of a process. */
  readonly poolSize: number;
  readonly applicationName: string;
  /** 0 = none. */
  readonly statementTimeoutMs?: number;
  /** How long a statement waits for a lock; as long as it may take unless given. */
  readonly lockTimeoutMs?: number;
}

type EntityClass = abstract new () => object;
export type MigrationClass = new () => { name?: string };

export interface DatabaseModel {
  readonly entities: readonly EntityClass[];
  readonly migrations: readonly MigrationClass[];
}

/** No caller waits longer for an answer. */
const defaultStatementTimeoutMs = 10_000;
const connectTimeoutMs = 5_000;
/** Longer than any call within a transaction may take; a process that was paused in one holds its rows no longer. */
const idleInTransactionMs = 15_000;
/** A connection costs both sides milliseconds; loops that look every 15 s would make one each time. */
const idleTimeoutMillis = 30_000;
const answerGraceMs = 2_000;
/**
 * The server ends the session of a client whose host vanished after a minute; by default it takes more than two hours,
 * during which the sessions count as connections and keep their locks.
 */
export const keepAliveSettings = {
  tcp_keepalives_idle: 30,
  tcp_keepalives_interval: 10,
  tcp_keepalives_count: 3,
};

const nothing = (): void => undefined;
/** TypeORM prints of a migration that fails whatever `logging` says, in a form of its own. The error is thrown as well. */
const silence: Logger = {
  logQuery: nothing,
  logQueryError: nothing,
  logQuerySlow: nothing,
  logSchemaBuild: nothing,
  logMigration: nothing,
  log: nothing,
};

/** `agents-and-revisions` → `agents_and_revisions`. */
export function schemaOf(service: string): string {
  return service.replaceAll('-', '_');
}

/** The same settings without a pooler in between. */
export function withoutPooler({ directUrl, ...settings }: DatabaseSettings): DatabaseSettings {
  return { ...settings, url: directUrl ?? settings.url };
}

export function createDataSource(
  settings: DatabaseSettings,
  model: DatabaseModel,
  connections = connectionShares(settings.poolSize).transactions,
): DataSource {
  const timeoutMs = settings.statementTimeoutMs ?? defaultStatementTimeoutMs;
  const { connectionString, ...extra } = settings.directUrl
    ? pooledOptions(settings, timeoutMs)
    : directOptions(settings, timeoutMs, lockTimeout(settings));
  const options: DataSourceOptions = {
    type: 'postgres',
    // TypeORM would look it up by name at run time, which finds no package in a bundle.
    driver: pg,
    url: connectionString,
    schema: settings.schema,
    applicationName: settings.applicationName,
    entities: [...model.entities] as MixedList<EntityClass>,
    migrations: [...model.migrations] as MixedList<MigrationClass>,
    migrationsTableName: 'migration',
    migrationsTransactionMode: 'each',
    installExtensions: false,
    synchronize: false,
    logging: false,
    logger: silence,
    poolSize: connections,
    connectTimeoutMS: connectTimeoutMs,
    extra,
  } as DataSourceOptions;
  return new DataSource(options);
}

export function openDataSource(...settings: Parameters<typeof createDataSource>): Promise<DataSource> {
  return firstConnection(() => createDataSource(...settings).initialize());
}

/** What every connection of a service sets: SQL names its tables without the schema, and nothing runs for ever. */
export function connectionOptions(
  { url, schema }: Pick<DatabaseSettings, 'url' | 'schema'>,
  timeoutMs: number,
  more: Readonly<Record<string, string>> = {},
): DatabaseWay & { options: string; keepAlive: boolean } {
  const options = optionsOf({ ...sessionSettings(schema, timeoutMs), ...keepAliveSettings, ...more });
  return { ...wayTo(url), options, keepAlive: true };
}

function directOptions(...[settings, timeoutMs, more]: Parameters<typeof connectionOptions>) {
  return {
    ...connectionOptions(settings, timeoutMs, more),
    Client: WritableClient,
    answerTimeoutMs: answerTimeoutMs(timeoutMs),
    idleTimeoutMillis,
  };
}

/** Settings as a client sends them when it connects. */
export function optionsOf(settings: Readonly<Record<string, string | number>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** A pooler takes no settings at connect. */
function pooledOptions({ url, schema }: DatabaseSettings, timeoutMs: number) {
  const Client = transactionModeClient(sessionSettings(schema, timeoutMs));
  const answerTimeout = answerTimeoutMs(timeoutMs);
  return { ...wayTo(url), Client, answerTimeoutMs: answerTimeout, keepAlive: true, idleTimeoutMillis };
}

function sessionSettings(schema: string, timeoutMs: number) {
  return {
    search_path: schema,
    statement_timeout: timeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  };
}

function lockTimeout({ lockTimeoutMs }: DatabaseSettings): Record<string, string> {
  return lockTimeoutMs === undefined ? {} : { lock_timeout: String(lockTimeoutMs) };
}

/** Later than the server ends a statement, its answer is lost. */
export function answerTimeoutMs(statementTimeoutMs: number): number {
  return statementTimeoutMs === 0 ? 0 : statementTimeoutMs + answerGraceMs;
}
