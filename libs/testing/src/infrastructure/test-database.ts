import pg from 'pg';
import { createHash } from 'node:crypto';
import {
  foundation,
  migrateService,
  modelOf,
  type ServiceConfig,
  type ServiceDefinition,
} from '@aos/service';
import { uuidv7 } from 'uuidv7';
import { testConfig } from './test-config.js';

export interface QueryableDatabase {
  readonly url: string;
  query<Row extends pg.QueryResultRow>(sql: string, parameters?: unknown[]): Promise<Row[]>;
}

export interface TestDatabase extends QueryableDatabase {
  drop(): Promise<void>;
}

/** A database with the schemas of the given services, cloned from a template that is migrated once. */
export async function createTestDatabase(
  services: readonly ServiceDefinition<ServiceConfig>[],
  serverUrl = testServerUrl(),
): Promise<TestDatabase> {
  return cloneOf(await ensureTemplate(services, serverUrl), serverUrl);
}

/** A database with the schemas of all services of the product, cloned from the one that was made for the run. */
export async function createProductDatabase(): Promise<TestDatabase> {
  const template = process.env['TEST_PRODUCT_TEMPLATE'];
  if (!template) throw new Error('TEST_PRODUCT_TEMPLATE is not set: run the tests through their target');
  return cloneOf(template, testServerUrl());
}

async function cloneOf(template: string, serverUrl: string): Promise<TestDatabase> {
  const name = `aos_test_${uuidv7().replaceAll('-', '')}`;
  // Copying files takes half the CPU of logging each block.
  const create = `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`;
  await withClient(serverUrl, (client) => client.query(create));
  const { url, query, close } = openDatabase(withDatabase(serverUrl, name));
  return {
    url,
    query,
    drop: async () => {
      await close();
      await withClient(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}

/** A database that is there already, and stays. */
export function openDatabase(url: string): QueryableDatabase & { close(): Promise<void> } {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  // A server that a test restarts on purpose ends idle connections; the next query opens another.
  pool.on('error', () => undefined);
  return {
    url,
    query: async <Row extends pg.QueryResultRow>(sql: string, parameters: unknown[] = []) =>
      (await pool.query<Row>(sql, parameters)).rows,
    close: () => pool.end(),
  };
}

export function testServerUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('TEST_DATABASE_URL is not set: run the tests through their target');
  return url;
}

/** Migrates a database to clone from, unless the server has it, and gives its name. */
export async function ensureTemplate(
  services: readonly ServiceDefinition<ServiceConfig>[],
  serverUrl: string,
): Promise<string> {
  const content = services.map((service) => [
    service.name,
    // With their text: a server that outlives the run may hold a template of an older one.
    modelOf(service).migrations.map(String),
    [...foundation.tables, ...service.model.tables],
  ]);
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
  const template = `aos_template_${hash}`;
  await withClient(serverUrl, async (client) => {
    // Spec files run in parallel: one makes the template, the others wait.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [template]);
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
    if (rowCount) return;
    const draft = `${template}_draft`;
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${draft}`);
    for (const service of services) {
      await migrateService(service, testConfig({ DATABASE_URL: withDatabase(serverUrl, draft) }));
    }
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
  });
  return template;
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** How many sessions of this database wait for a lock that another holds. */
export async function waitingSessions(database: TestDatabase): Promise<number> {
  const [row] = await database.query<{ count: string }>(
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return Number(row!.count);
}
