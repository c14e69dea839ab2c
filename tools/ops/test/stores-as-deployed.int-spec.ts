import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceNames } from '@aos/contracts';
import { findFreePort, startPostgres, type EmbeddedStore } from '@aos/local-infra';
import { defineService } from '@aos/service';
import {
  createTestDatabase,
  eventually,
  openDatabase,
  selfSigned,
  startEventLog,
  testEnvironment,
  type TestDatabase,
} from '@aos/testing';
import { surroundingsOf } from '../src/environment.js';
import { main } from '../src/main.js';
import { Product } from '../src/product.js';
import { startOneSentinel, type OneSentinel } from './one-sentinel.js';
import { startStrictPooler, type StrictPooler } from './strict-pooler.js';

type Row = Record<string, unknown>;

/** The tables that every service has, in the schemas of all. */
const foundations = serviceNames.map((name) =>
  defineService({ name, model: { entities: [], tables: [] }, modules: [] }),
);

async function rowsOf(environment: Record<string, string>, ...args: string[]): Promise<Row[]> {
  const said: string[] = [];
  const told: string[] = [];
  const output = { out: (text: string) => said.push(text), err: (text: string) => told.push(text) };
  await main([...args, '--json'], output, { AOS_DATA_DIR: '/no/such/folder', ...environment });
  if (said.length === 0) throw new Error(told.join('\n'));
  return JSON.parse(said.join('')) as Row[];
}

describe('npm run ops and a pooler in transaction mode', () => {
  let database: TestDatabase;
  let pooler: StrictPooler;
  const id = randomUUID();

  beforeAll(async () => {
    database = await createTestDatabase(foundations);
    pooler = await startStrictPooler(database.url);
    await database.query(
      `INSERT INTO billing.dead_event
         (id, source, position, event, error, attempts, next_attempt_at, created_at)
       VALUES ($1, 'runs', 1, '{"event": "run.completed"}', 'Error: not now', 5, now() + interval '1 hour', now())`,
      [id],
    );
  });

  afterAll(async () => {
    await pooler?.stop();
    await database?.drop();
  });

  it('reads the tables of each service through it, where no other way is known', async () => {
    const rows = await rowsOf({ DATABASE_URL: pooler.url }, 'events', 'dead');
    expect(rows).toMatchObject([{ service: 'billing', id, error: 'Error: not now' }]);
    expect(pooler.clients).toBe(serviceNames.length);
  });

  it('goes around it, where the way around is known', async () => {
    const before = pooler.clients;
    const environment = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url };
    expect(await rowsOf(environment, 'events', 'retry', '--service', 'billing')).toMatchObject([{ id }]);
    expect(await rowsOf(environment, 'events', 'retry', '--service', 'billing')).toEqual([]);
    expect(pooler.clients).toBe(before);
  });

  it('names the keys in use through it', async () => {
    await database.query(
      `INSERT INTO gateway.idempotency_record (scope, operation_id, fingerprint, status, body, expires_at)
       VALUES ('team', 'makeKey', 'print', 201, 'v1.k1.sealed', now())`,
    );
    const environment = { DATABASE_URL: pooler.url, SECRETS_KEYS: 'k2:two,k1:one' };
    expect(await rowsOf(environment, 'keys')).toEqual([
      {
        service: 'gateway',
        table: 'idempotency_record',
        column: 'body',
        key_id: 'k1',
        values: 1,
        state: 'old',
      },
    ]);
  });
});

describe('npm run ops and a Redis that sentinels know', () => {
  let database: TestDatabase;
  let sentinel: OneSentinel;

  afterAll(async () => {
    await sentinel?.stop();
    await database?.drop();
  });

  it('asks the services over the master that they name', async () => {
    database = await createTestDatabase(foundations);
    const environment = testEnvironment({ DATABASE_URL: database.url });
    const redis = new URL(environment['REDIS_URL']!);
    sentinel = await startOneSentinel('first', redis.href);
    // Nobody is there: the sentinels tell.
    redis.port = '1';
    const billing = await startEventLog('billing', environment);
    try {
      const rows = await rowsOf(
        {
          ...environment,
          REDIS_URL: redis.href,
          REDIS_SENTINELS: sentinel.host,
          REDIS_SENTINEL_MASTER: 'first',
        },
        'status',
      );
      expect(rows.filter(({ answers }) => answers === 'yes')).toMatchObject([{ service: 'billing' }]);
      expect(sentinel.asked).toBeGreaterThan(0);
    } finally {
      await billing.stop();
    }
  });
});

describe('npm run ops and a database of several hosts, over TLS', () => {
  const { cert, key } = selfSigned('localhost');
  let folder: string;
  let server: EmbeddedStore;
  let environment: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'aos-ops-'));
    server = await startPostgres({ dataDir: join(folder, 'postgres') });
    await secure(server.url);
    const authority = join(folder, 'ca.pem');
    await writeFile(authority, cert);
    const { username, password, pathname } = new URL(server.url);
    const hosts = [await findFreePort(), server.port].map((port) => `localhost:${port}`).join(',');
    environment = {
      DATABASE_URL: `postgres://${username}:${password}@${hosts}${pathname}`,
      DATABASE_TLS_CA: authority,
    };
  });

  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Gives the server a certificate: as its own user, since a key must be the server's alone. */
  async function secure(url: string): Promise<void> {
    const database = openDatabase(url);
    for (const [file, text] of [
      ['server.crt', cert],
      ['server.key', key],
    ] as const) {
      const lines = text.trim().split('\n');
      const values = lines.map((line) => `('${line}')`).join(',');
      await database.query(`COPY (VALUES ${values}) TO PROGRAM 'umask 077; cat > ${file}'`);
    }
    await database.query('ALTER SYSTEM SET ssl = on');
    await database.query('SELECT pg_reload_conf()');
    await eventually(async () => expect(await database.query('SHOW ssl')).toEqual([{ ssl: 'on' }]));
    await database.close();
  }

  async function isSecured(env: Record<string, string>): Promise<boolean> {
    const product = new Product(surroundingsOf({ AOS_DATA_DIR: folder, ...env }));
    try {
      const [row] = await product.query<{ ssl: boolean }>(
        'billing',
        'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
      );
      return row!.ssl;
    } finally {
      await product.close();
    }
  }

  it('finds the one that takes writes, and trusts who has the certificate', async () => {
    expect(await isSecured(environment)).toBe(true);
  });

  it('does not talk to one for which nobody vouches', async () => {
    const stranger = join(folder, 'stranger.pem');
    await writeFile(stranger, selfSigned('localhost').cert);
    await expect(isSecured({ ...environment, DATABASE_TLS_CA: stranger })).rejects.toThrow(
      /self-signed certificate/,
    );
  });
});
