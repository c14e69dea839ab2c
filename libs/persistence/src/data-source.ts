import { DataSource, type DataSourceOptions, type MixedList } from 'typeorm';

export interface DatabaseSettings {
  readonly url: string;
  /** Each service has a schema of its own and sees no other. */
  readonly schema: string;
  readonly poolSize: number;
  readonly applicationName: string;
}

type EntityClass = abstract new () => object;
type MigrationClass = new () => { name?: string };

export interface DatabaseModel {
  readonly entities: readonly EntityClass[];
  readonly migrations: readonly MigrationClass[];
}

const statementTimeoutMs = 30_000;
const idleInTransactionMs = 30_000;

/** `agents-and-revisions` → `agents_and_revisions`. */
export function schemaOf(service: string): string {
  return service.replaceAll('-', '_');
}

export function createDataSource(settings: DatabaseSettings, model: DatabaseModel): DataSource {
  const options: DataSourceOptions = {
    type: 'postgres',
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
    extra: {
      // SQL of a service names its tables without the schema.
      options: [
        `-c search_path=${settings.schema}`,
        `-c statement_timeout=${statementTimeoutMs}`,
        `-c idle_in_transaction_session_timeout=${idleInTransactionMs}`,
      ].join(' '),
      keepAlive: true,
    },
  } as DataSourceOptions;
  return new DataSource(options);
}
