import { fileURLToPath } from 'node:url';
import { loadServiceConfig } from '@aos/service';
import { gatewayConfigSchema } from './gateway.config.js';

const stores = {
  DATABASE_URL: 'postgres://user:password@db/aos',
  REDIS_URL: 'redis://:password@cache',
  SECRETS_KEYS: `one:${Buffer.alloc(32).toString('base64')}`,
  FILES_DIR: '/var/lib/aos/files',
};

const load = (environment: Record<string, string> = {}) =>
  loadServiceConfig('gateway', gatewayConfigSchema, { ...stores, ...environment });

describe('the settings of the gateway', () => {
  it('have defaults for all but the stores and the keys', () => {
    expect(load()).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 8080,
      PUBLIC_BASE_URL: 'http://127.0.0.1:8080',
      RATE_LIMIT_PER_MINUTE: 6000,
      AUTH_FAILURES_PER_MINUTE: 600,
      EVENT_STREAM_KEEP_ALIVE_MS: 15_000,
      TRUST_PROXY: false,
    });
  });

  it.each([
    [{ HOST: '::1', PORT: '9000' }, 'http://[::1]:9000'],
    [{ PUBLIC_BASE_URL: 'https://agents.example.com//' }, 'https://agents.example.com'],
    [{ PUBLIC_BASE_URL: 'https://example.com/agents/' }, 'https://example.com/agents'],
  ])('%j is reached at %s', (environment, expected) => {
    expect(load(environment).PUBLIC_BASE_URL).toBe(expected);
  });

  it.each([
    [{ DATABASE_URL: 'postgres://user:password@one:5432,two:5433/aos' }],
    [{ DATABASE_URL: 'postgres://pooler/aos', DATABASE_DIRECT_URL: 'postgres://one,two/aos' }],
    [{ DATABASE_POOL_SIZE: '3' }],
  ])('%j is taken', (environment: Record<string, string>) => {
    expect(Object.entries(load(environment)).map(([name, value]) => `${name} ${String(value)}`)).toEqual(
      expect.arrayContaining(Object.entries(environment).map(([name, value]) => `${name} ${value}`)),
    );
  });

  it.each([
    [undefined, []],
    ['https://app.example.com', ['https://app.example.com']],
    [
      ' http://localhost:5173 , https://app.example.com:8443,',
      ['http://localhost:5173', 'https://app.example.com:8443'],
    ],
  ])('CORS_ALLOWED_ORIGINS=%s allows %j', (text, expected) => {
    const environment: Record<string, string> = text === undefined ? {} : { CORS_ALLOWED_ORIGINS: text };
    expect(load(environment).CORS_ALLOWED_ORIGINS).toEqual(expected);
  });

  it.each([
    '*',
    'null',
    'app.example.com',
    'https://*.example.com',
    'https://app.example.com/',
    'https://app.example.com/path',
    'https://App.example.com',
    'https://app.example.com:443',
    'https://user@app.example.com',
    'ftp://app.example.com',
    'https://app.example.com,*',
  ])('CORS_ALLOWED_ORIGINS=%s is refused', (text) => {
    expect(() => load({ CORS_ALLOWED_ORIGINS: text })).toThrow('CORS_ALLOWED_ORIGINS: must be exact origins');
  });

  it.each([
    [{ PUBLIC_BASE_URL: 'https://example.com/v2' }, 'PUBLIC_BASE_URL: must not have a path that begins like'],
    [{ PUBLIC_BASE_URL: 'https://example.com/?x' }, 'PUBLIC_BASE_URL: must not have a query'],
    [{ DATABASE_URL: 'postgres://one,/aos' }, 'DATABASE_URL: must be a URL that begins with'],
    [{ DATABASE_DIRECT_URL: 'mysql://one/aos' }, 'DATABASE_DIRECT_URL: must be a URL that begins with'],
    [{ DATABASE_POOL_SIZE: '2' }, 'DATABASE_POOL_SIZE: must be a whole number from 3'],
    [{ REDIS_SENTINELS: 'one:port' }, 'REDIS_SENTINELS: must be hosts with ports'],
  ])('%j is refused', (environment: Record<string, string>, problem) => {
    expect(() => load(environment)).toThrow(problem);
  });

  it('name sentinels with their ports, or the usual one', () => {
    const { REDIS_SENTINELS: hosts } = load({ REDIS_SENTINELS: 'one:1, two,[::1]:3' });
    expect(hosts).toEqual([
      { host: 'one', port: 1 },
      { host: 'two', port: 26_379 },
      { host: '::1', port: 3 },
    ]);
  });

  it('keep the way around a pooler with its database', () => {
    const shared = { DATABASE_DIRECT_URL: 'postgres://shared/aos' };
    expect(load(shared).DATABASE_DIRECT_URL).toBe('postgres://shared/aos');
    const own = { ...shared, GATEWAY_DATABASE_URL: 'postgres://own/aos' };
    expect(load(own).DATABASE_URL).toBe('postgres://own/aos');
    expect(load(own).DATABASE_DIRECT_URL).toBeUndefined();
    const both = { ...own, GATEWAY_DATABASE_DIRECT_URL: 'postgres://direct/aos' };
    expect(load(both).DATABASE_DIRECT_URL).toBe('postgres://direct/aos');
  });

  describe('in production', () => {
    const refused = /REDIS_URL: has no password, and whoever can write to Redis is an administrator/;

    it.each([
      [{ REDIS_URL: 'redis://cache' }],
      [{ REDIS_URL: 'rediss://user@cache:6380/1', NODE_ENV: 'production' }],
      [{ REDIS_URL: 'redis://cache', REDIS_ALLOW_NO_PASSWORD: 'false' }],
    ])('%j is refused', (environment: Record<string, string>) => {
      expect(() => load(environment)).toThrow(refused);
    });

    it.each([
      [{ REDIS_URL: 'redis://:secret@cache' }],
      [{ REDIS_URL: 'rediss://user:secret@cache' }],
      [{ REDIS_URL: 'redis://cache', REDIS_ALLOW_NO_PASSWORD: 'true' }],
      [{ REDIS_URL: 'redis://cache', NODE_ENV: 'development' }],
    ])('%j is taken', (environment: Record<string, string>) => {
      expect(load(environment).REDIS_URL).toBe(environment['REDIS_URL']);
    });

    it('is told beside the other problems', () => {
      expect(() => load({ REDIS_URL: 'redis://cache', PORT: 'eighty' })).toThrow(
        expect.objectContaining({
          problems: [expect.stringMatching(/^PORT: /), expect.stringMatching(refused)],
        }),
      );
    });
  });

  it.each(['REDIS_TLS_CA', 'DATABASE_TLS_CA'])('%s must be a file with certificates', (name) => {
    for (const path of ['/no/such/file', fileURLToPath(import.meta.url)]) {
      expect(() => load({ [name]: path })).toThrow(
        expect.objectContaining({
          problems: [`${name}: must be the path of a file with certificates (PEM)`],
        }),
      );
    }
  });

  it('tell all problems at once, and no value', () => {
    const environment = { DATABASE_URL: '', PORT: 'eighty', ADMIN_KEY: 'short-secret', TRUST_PROXY: 'maybe' };
    expect(() => load(environment)).toThrow(
      expect.objectContaining({
        problems: [
          'DATABASE_URL: is required',
          expect.stringMatching(/^PORT: must be a whole number/),
          'ADMIN_KEY: must have at least 32 characters',
          expect.stringMatching(/^TRUST_PROXY: must be false, the number of proxies/),
        ],
      }),
    );
  });
});
