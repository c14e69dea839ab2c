import { Socket } from 'node:net';
import pg from 'pg';
import { DataSource, type DataSourceOptions, type MixedList } from 'typeorm';

export interface DatabaseSettings {
  readonly url: string;
  /** Each service has a schema of its own and sees no other. */
  readonly schema: string;
  readonly poolSize: number;
  readonly applicationName: string;
  /** 0 = none. */
  readonly statementTimeoutMs?: number;
}

type EntityClass = abstract new () => object;
type MigrationClass = new () => { name?: string };

export interface DatabaseModel {
  readonly entities: readonly EntityClass[];
  readonly migrations: readonly MigrationClass[];
}

const defaultStatementTimeoutMs = 30_000;
const idleInTransactionMs = 30_000;
/** Longer than the server lets a statement take, it is not silent but gone. */
const silenceGraceMs = 5_000;

/** `agents-and-revisions` → `agents_and_revisions`. */
export function schemaOf(service: string): string {
  return service.replaceAll('-', '_');
}

export function createDataSource(settings: DatabaseSettings, model: DatabaseModel): DataSource {
  const options: DataSourceOptions = {
    type: 'postgres',
    // TypeORM would look it up by name at run time, which finds no package in a bundle.
    driver: pg,
    url: settings.url,
    schema: settings.schema,
    applicationName: settings.applicationName,
    entities: [...model.entities] as MixedList<EntityClass>,
    migrations: [...model.migrations] as MixedList<MigrationClass>,
    migrationsTableName: 'migration',
    migrationsTransactionMode: 'each',
    installExtensions: false,
    synchronize: false,
    logging: false,
    poolSize: settings.poolSize,
    connectTimeoutMS: 5_000,
    extra: connectionOptions(settings.schema, settings.statementTimeoutMs ?? defaultStatementTimeoutMs),
  } as DataSourceOptions;
  return new DataSource(options);
}

/** What every connection of a service sets: SQL names its tables without the schema, and nothing runs for ever. */
export function connectionOptions(
  schema: string,
  timeoutMs: number,
  more: Readonly<Record<string, string>> = {},
): { options: string; keepAlive: boolean; stream?: () => Socket } {
  const settings = {
    search_path: schema,
    statement_timeout: timeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    ...more,
  };
  const options = Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
  if (timeoutMs === 0) return { options, keepAlive: true };
  return { options, keepAlive: true, stream: () => guardedSocket(timeoutMs + silenceGraceMs) };
}

/**
 * A peer that vanished without a word would hold the connection until TCP gives up, a quarter of an hour later.
 * The pool ends idle connections sooner than this; elsewhere an idle one is opened again at its next use.
 */
function guardedSocket(silenceMs: number): Socket {
  const socket = new Socket();
  socket.setTimeout(silenceMs, () => {
    socket.destroy(
      Object.assign(new Error('Connection terminated: Postgres is silent'), { code: 'ETIMEDOUT' }),
    );
  });
  return socket;
}
