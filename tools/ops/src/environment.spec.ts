import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { surroundingsOf, type Environment } from './environment.js';
import { Problem } from './problem.js';

const secretsKeys = `k1:${Buffer.alloc(32).toString('base64')}`;

describe('where the product is', () => {
  let folder: string;
  let authority: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'aos-ops-'));
    authority = join(folder, 'ca.pem');
    writeFileSync(authority, '-----BEGIN CERTIFICATE-----\n');
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  /** Nothing was started in the folder, unless it is named. */
  const around = (env: Environment) => surroundingsOf({ AOS_DATA_DIR: join(folder, 'none'), ...env });
  const databaseUrl = (service: string, env: Environment) => around(env).databaseOf(service).url;

  it('is told of each service by its own database, with a schema of its name', () => {
    const env = { DATABASE_URL: 'postgres://all/aos', RUNS_DATABASE_URL: 'postgres://runs/aos' };
    expect(around(env).databaseOf('runs')).toMatchObject({ url: 'postgres://runs/aos', schema: 'runs' });
    expect(around(env).databaseOf('webhook-dispatcher')).toMatchObject({
      url: 'postgres://all/aos',
      schema: 'webhook_dispatcher',
    });
  });

  it('is reached around a pooler, whose way around belongs to its own database', () => {
    const env = {
      DATABASE_URL: 'postgres://pooler/aos',
      DATABASE_DIRECT_URL: 'postgres://server/aos',
      RUNS_DATABASE_URL: 'postgres://of-runs/aos',
      BILLING_DATABASE_URL: 'postgres://pooler-of-billing/aos',
      BILLING_DATABASE_DIRECT_URL: 'postgres://server-of-billing/aos',
    };
    expect(databaseUrl('gateway', env)).toBe('postgres://server/aos');
    expect(databaseUrl('runs', env)).toBe('postgres://of-runs/aos');
    expect(databaseUrl('billing', env)).toBe('postgres://server-of-billing/aos');
  });

  it('may be a database of several hosts, for which an authority vouches', () => {
    const env = { DATABASE_URL: 'postgres://aos:aos@one,two:5433/aos', DATABASE_TLS_CA: authority };
    expect(databaseUrl('billing', env)).toBe(
      `${env.DATABASE_URL}?sslrootcert=${encodeURIComponent(authority)}&sslmode=verify-full`,
    );
  });

  it('may be a Redis that sentinels know, for which an authority vouches', () => {
    const env = {
      REDIS_URL: 'rediss://ops:word@not-used',
      REDIS_PREFIX: 'ours',
      REDIS_TLS_CA: authority,
      REDIS_SENTINELS: 'one:1,two',
      REDIS_SENTINEL_MASTER: 'first',
      REDIS_SENTINEL_PASSWORD: 'of-the-sentinels',
      REDIS_SENTINEL_TLS: 'true',
      SECRETS_KEYS: secretsKeys,
    };
    expect(around(env).messaging()).toEqual({
      redis: {
        url: env.REDIS_URL,
        prefix: 'ours',
        ca: '-----BEGIN CERTIFICATE-----\n',
        sentinel: {
          hosts: [
            { host: 'one', port: 1 },
            { host: 'two', port: 26_379 },
          ],
          master: 'first',
          user: undefined,
          password: 'of-the-sentinels',
          isSecured: true,
        },
      },
      secretsKeys,
    });
  });

  it('is what npm start keeps, where the environment says nothing else', () => {
    const kept = { database_url: 'postgres://kept/aos', redis_url: 'redis://kept', services: { runs: [7] } };
    writeFileSync(join(folder, 'processes.json'), JSON.stringify(kept));
    writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ secrets_keys: secretsKeys }));
    const here = { AOS_DATA_DIR: folder, DATABASE_URL: '', REDIS_URL: undefined };
    expect(databaseUrl('runs', here)).toBe('postgres://kept/aos');
    // Without a password: it is the product's own, on this machine.
    expect(around(here).messaging()).toMatchObject({ redis: { url: 'redis://kept' }, secretsKeys });
    expect(around(here).processesOf('runs')).toEqual([7]);
    expect(databaseUrl('runs', { ...here, DATABASE_URL: 'postgres://other/aos' })).toBe(
      'postgres://other/aos',
    );
  });

  it.each([
    [{}, 'DATABASE_URL: is required'],
    [{ DATABASE_URL: 'mysql://db' }, 'DATABASE_URL: must be a URL'],
    [{ DATABASE_URL: 'postgres://db/aos', DATABASE_TLS_CA: '/no/such/file' }, 'DATABASE_TLS_CA: must be the'],
  ])('is not known from %j, which is told as a wrong setting', (env, reason) => {
    expect(problemOf(() => around(env).databaseOf('runs'))).toEqual([78, expect.stringContaining(reason)]);
  });

  it('is found in its database without Redis and keys; asking services needs both', () => {
    const env = { DATABASE_URL: 'postgres://db/aos' };
    expect(databaseUrl('runs', env)).toBe(env.DATABASE_URL);
    const [code, message] = problemOf(() => around(env).messaging());
    expect(code).toBe(78);
    expect(message).toContain('REDIS_URL: is required');
    expect(message).toContain('SECRETS_KEYS: is required');
  });
});

function problemOf(work: () => unknown): [number, string] {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return [error.exitCode, error.message];
    throw error;
  }
  throw new Error('There was no problem.');
}
