import { type ServiceName, serviceNames } from '@aos/contracts';
import { readConfig } from './config.js';
import { environmentOf, environmentTogether } from './service-environment.js';

describe('the environment of a service', () => {
  const env = {
    PATH: '/bin',
    PORT: '9000',
    HOST: '127.0.0.1',
    HEALTH_PORT: '9999',
    HEALTH_HOST: '0.0.0.0',
    ADMIN_KEY: 'of the caller',
    S3_SECRET_ACCESS_KEY: 's3',
    OPENAI_API_KEY: 'openai',
    RUNS_DATABASE_URL: 'postgres://runs@localhost/runs',
    RUN_LEASE_MS: '5000',
  };
  const plan = {
    config: readConfig(env, '/root'),
    secrets: { secrets_keys: 'k1:key', admin_key: 'the admin key' },
    urls: { databaseUrl: 'postgres://a/b', redisUrl: 'redis://c' },
    env,
    isSetupPending: () => true,
  };
  const of = (service: ServiceName, index = 0) =>
    environmentOf(plan, { service, index, metricsPort: 12_345 });
  const holders = (name: string) => serviceNames.filter((service) => of(service)[name] !== undefined);

  it('has the key of the administrator for the gateway only', () => {
    expect(holders('ADMIN_KEY')).toEqual(['gateway']);
    expect(of('gateway')['ADMIN_KEY']).toBe('the admin key');
  });

  it('has other secrets only where they are used', () => {
    expect(holders('S3_SECRET_ACCESS_KEY').sort()).toEqual(['gateway', 'runs']);
    expect(holders('OPENAI_API_KEY').sort()).toEqual(['agents-and-revisions', 'runs']);
    expect(holders('RUNS_DATABASE_URL')).toEqual(['runs']);
  });

  it('has what every service needs, and what the person set', () => {
    for (const service of serviceNames) {
      expect(of(service)).toMatchObject({
        PATH: '/bin',
        NODE_ENV: 'production',
        DATABASE_URL: 'postgres://a/b',
        REDIS_URL: 'redis://c',
        SECRETS_KEYS: 'k1:key',
        RUN_LEASE_MS: '5000',
      });
    }
  });

  it('has metrics on loopback, whatever the caller has for itself', () => {
    expect(of('runs')).toMatchObject({ HEALTH_PORT: '12345', HEALTH_HOST: '127.0.0.1' });
  });

  it('is that of all services where they share a process, each with a port for its metrics', () => {
    const ports = new Map(serviceNames.map((service, index) => [service, 12_000 + index]));
    expect(environmentTogether(plan, ports)).toMatchObject({
      PORT: '9000',
      ADMIN_KEY: 'the admin key',
      OPENAI_API_KEY: 'openai',
      RUNS_DATABASE_URL: 'postgres://runs@localhost/runs',
      HEALTH_HOST: '127.0.0.1',
      GATEWAY_HEALTH_PORT: String(ports.get('gateway')),
      WEBHOOK_DISPATCHER_HEALTH_PORT: String(ports.get('webhook-dispatcher')),
      READY_AFTER_SETUP: 'true',
    });
    expect(environmentTogether(plan, ports)['HEALTH_PORT']).toBeUndefined();
  });

  it('gives services that share a process fewer connections, unless the person says how many', () => {
    const pool = (env: NodeJS.ProcessEnv) =>
      environmentTogether({ ...plan, env }, new Map())['DATABASE_POOL_SIZE'];
    expect(pool({})).toBe('4');
    expect(pool({ DATABASE_POOL_SIZE: '20' })).toBe('20');
    expect(of('runs')['DATABASE_POOL_SIZE']).toBe('6');
  });

  it('has one arena for what the C library allocates, unless the person says how many', () => {
    expect(of('runs')['MALLOC_ARENA_MAX']).toBe('1');
    const env = { MALLOC_ARENA_MAX: '4' };
    expect(environmentTogether({ ...plan, env }, new Map())['MALLOC_ARENA_MAX']).toBe('4');
  });

  it('has a public port for gateways only', () => {
    expect(holders('PORT')).toEqual(['gateway']);
    expect(of('gateway', 2)).toMatchObject({ PORT: '9002', READY_AFTER_SETUP: 'true' });
  });
});
