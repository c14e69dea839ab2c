import { type ServiceName, serviceNames } from '@aos/contracts';
import { readConfig } from './config.js';
import { environmentOf } from './service-environment.js';

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
  const of = (service: ServiceName, index = 0) =>
    environmentOf(
      {
        config: readConfig(env, '/root'),
        secrets: { secrets_keys: 'k1:key', admin_key: 'the admin key' },
        urls: { databaseUrl: 'postgres://a/b', redisUrl: 'redis://c' },
        env,
        isSetupPending: () => true,
      },
      { service, index, metricsPort: 12_345 },
    );
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

  it('has a public port for gateways only', () => {
    expect(holders('PORT')).toEqual(['gateway']);
    expect(of('gateway', 2)).toMatchObject({ PORT: '9002', READY_AFTER_SETUP: 'true' });
  });
});
