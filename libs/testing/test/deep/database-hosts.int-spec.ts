import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, startPostgres, type EmbeddedStore } from '@aos/local-infra';
import { migrateService, startService, type RunningService } from '@aos/service';
import {
  createWidget,
  eventually,
  fixtureService,
  getWidget,
  openDatabase,
  selfSigned,
  startTestClient,
  testConfig,
  testEnvironment,
  type TestClient,
} from '../../src/index.js';
import { callOperation, resultOf } from '../fixture-calls.js';

const readOnly = { default_transaction_read_only: 'on' };

/** Writes a file as the server's own user, in its own folder: a key must be the server's alone. */
async function writeInCluster(url: string, name: string, text: string): Promise<void> {
  const database = openDatabase(url);
  const lines = text
    .trim()
    .split('\n')
    .map((line) => `('${line}')`)
    .join(',');
  await database.query(`COPY (VALUES ${lines}) TO PROGRAM 'umask 077; cat > ${name}'`);
  await database.close();
}

describe('a database with several hosts, over TLS', () => {
  const { cert, key } = selfSigned('localhost');
  let folder: string;
  let ca: string;
  let nobody: number;
  let first: EmbeddedStore;
  let second: EmbeddedStore;
  let service: RunningService | undefined;
  let client: TestClient;
  let environment: Record<string, string>;

  const start = (name: string, settings: Record<string, string>, port?: number) =>
    startPostgres({ dataDir: join(folder, name), port, settings });

  /** A server that has a certificate from its second start on. */
  async function startSecured(name: string, settings: Record<string, string>): Promise<EmbeddedStore> {
    const plain = await start(name, {});
    await writeInCluster(plain.url, 'server.crt', cert);
    await writeInCluster(plain.url, 'server.key', key);
    // The same on both, as on a server and its standby.
    await query(plain, `CREATE ROLE aos LOGIN SUPERUSER PASSWORD 'aos'`);
    await plain.stop();
    return start(name, { ssl: 'on', ...settings }, plain.port);
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'aos-hosts-'));
    ca = join(folder, 'ca.pem');
    await writeFile(ca, cert);
    nobody = await findFreePort();
    [first, second] = await Promise.all([startSecured('first', {}), startSecured('second', readOnly)]);
    const hosts = [nobody, second.port, first.port].map((port) => `localhost:${port}`).join(',');
    environment = testEnvironment({
      DATABASE_URL: `postgres://aos:aos@${hosts}/postgres`,
      DATABASE_TLS_CA: ca,
    });
    service = await startService(fixtureService, testConfig(environment));
    client = startTestClient(environment);
  });

  afterAll(async () => {
    client?.close();
    await service?.close();
    await Promise.all([first?.stop(), second?.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  async function query<Row extends object>(store: EmbeddedStore, sql: string): Promise<Row[]> {
    const database = openDatabase(store.url);
    try {
      return await database.query<Row>(sql);
    } finally {
      await database.close();
    }
  }

  async function securedSessions(store: EmbeddedStore): Promise<boolean[]> {
    const rows = await query<{ ssl: boolean }>(
      store,
      `SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'fixture'`,
    );
    return rows.map(({ ssl }) => ssl);
  }

  const make = (name: string) => resultOf(callOperation(client.services, createWidget, { name }));

  it('is used where it takes writes, by every connection with TLS', async () => {
    expect(await make('one')).toBe(201);
    const sessions = await securedSessions(first);
    expect(sessions.length).toBeGreaterThan(0);
    expect(new Set(sessions)).toEqual(new Set([true]));
    expect(await securedSessions(second)).toEqual([]);
  });

  it('is used where it takes writes now, once another host has taken the place of the first', async () => {
    const { port } = second;
    await first.stop();
    expect(await make('two')).toBe(503);
    await second.stop();
    second = await start('second', { ssl: 'on' }, port);
    await migrateService(fixtureService, testConfig(environment));
    const { body } = await eventually(() => callOperation(client.services, createWidget, { name: 'three' }), {
      timeoutMs: 20_000,
    });
    const { widget_id: widgetId } = JSON.parse(body) as { widget_id: string };
    const read = () => resultOf(callOperation(client.services, getWidget, {}, { params: { widgetId } }));
    await eventually(async () => expect(await read()).toBe(200));
    expect((await securedSessions(second)).every(Boolean)).toBe(true);
  });

  it('is not used where nobody vouches for it', async () => {
    const stranger = join(folder, 'stranger.pem');
    await writeFile(stranger, selfSigned('localhost').cert);
    const config = testConfig({ ...environment, DATABASE_TLS_CA: stranger });
    const outcome = await startService(fixtureService, config).then(
      async (started) => (await started.close(), 'it started'),
      (error: Error) => error.message,
    );
    expect(outcome).toMatch(/self-signed certificate/);
  });
});
