import pg from 'pg';
import { DataSource, type DataSourceOptions, type Logger, type MixedList } from 'typeorm';
import { connectionShares } from './connections/connection-shares.js';
import { wayTo, type DatabaseWay } from './connections/database-socket.js';
import { firstConnection } from './connections/first-connection.js';
import { transactionModeClient } from './connections/transaction-mode-client.js';

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
type MigrationClass = new () => { name?: string };

export interface DatabaseModel {
  readonly entities: readonly EntityClass[];
  readonly migrations: readonly MigrationClass[];
}

const defaultStatementTimeoutMs = 30_000;
const idleInTransactionMs = 30_000;
/**
 * A connection costs both sides milliseconds; loops that look every 15 s would make one each time. Sooner than a
 * connection that says nothing is taken for dead.
 */
const idleTimeoutMillis = 30_000;
/** Longer than the server lets a statement take, it is not silent but gone. */
const silenceGraceMs = 5_000;

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
    : connectionOptions(settings, timeoutMs, lockTimeout(settings));
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
    connectTimeoutMS: 5_000,
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
): DatabaseWay & { options: string; keepAlive: boolean; idleTimeoutMillis: number } {
  const options = Object.entries({ ...sessionSettings(schema, timeoutMs), ...more })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
  return { ...wayTo(url, silenceMs(timeoutMs)), options, keepAlive: true, idleTimeoutMillis };
}

/** A pooler takes no settings at connect. */
function pooledOptions({ url, schema }: DatabaseSettings, timeoutMs: number) {
  const Client = transactionModeClient(sessionSettings(schema, timeoutMs));
  return { ...wayTo(url, silenceMs(timeoutMs)), Client, keepAlive: true, idleTimeoutMillis };
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

function silenceMs(timeoutMs: number): number {
  return timeoutMs === 0 ? 0 : timeoutMs + silenceGraceMs;
}
