import { gatewayPorts, parseReplicas, readConfig } from './config.js';
import { StartError } from './start-error.js';

const key = `k1:${Buffer.alloc(32).toString('base64')}`;

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(env, '/repo');
    return [];
  } catch (error) {
    if (error instanceof StartError) return error.problems;
    throw error;
  }
}

describe('readConfig', () => {
  it('needs nothing', () => {
    expect(readConfig({}, '/repo')).toEqual({
      host: '127.0.0.1',
      port: 8080,
      localBaseUrl: 'http://127.0.0.1:8080',
      publicBaseUrl: 'http://127.0.0.1:8080',
      dataDir: '/repo/.data',
      databaseUrl: undefined,
      redisUrl: undefined,
      secretsKeys: undefined,
      replicas: {
        gateway: 1,
        'agents-and-revisions': 1,
        runs: 1,
        connections: 1,
        'webhook-dispatcher': 1,
        billing: 1,
      },
      together: false,
      logLevel: 'info',
      logToStdout: false,
    });
  });

  it('puts all services into one process, or several of one into several', () => {
    expect(readConfig({ TOGETHER: 'true' }, '/repo').together).toBe(true);
    expect(() => readConfig({ TOGETHER: 'true', REPLICAS: 'runs:2' }, '/repo')).toThrow(/choose/);
    expect(() => readConfig({ TOGETHER: 'perhaps' }, '/repo')).toThrow(/TOGETHER must be one of/);
  });

  it('takes what is given, and an empty variable for none', () => {
    const config = readConfig(
      {
        PORT: '9000',
        HOST: '0.0.0.0',
        PUBLIC_BASE_URL: 'https://agents.example.com/base/',
        AOS_DATA_DIR: 'data',
        DATABASE_URL: '',
        REDIS_URL: 'rediss://cache:6380',
        SECRETS_KEYS: key,
        REPLICAS: 'gateway:2',
        LOG_TO_STDOUT: 'TRUE',
      },
      '/repo',
    );
    expect(config).toMatchObject({
      localBaseUrl: 'http://127.0.0.1:9000',
      publicBaseUrl: 'https://agents.example.com/base',
      dataDir: '/repo/data',
      databaseUrl: undefined,
      redisUrl: 'rediss://cache:6380',
      secretsKeys: key,
      logToStdout: true,
    });
    expect(gatewayPorts(config)).toEqual([9000, 9001]);
  });

  it('reaches a server on all IPv6 addresses through the loopback', () => {
    expect(readConfig({ HOST: '::' }, '/repo').localBaseUrl).toBe('http://[::1]:8080');
  });

  it.each([
    [{ PORT: 'abc' }, 'PORT must be a number from 1 to 65535, not "abc"'],
    [{ PORT: '70000' }, 'PORT must be a number from 1 to 65535, not "70000"'],
    [{ PORT: '80.5' }, 'PORT must be a number from 1 to 65535, not "80.5"'],
    [{ PORT: '65535', REPLICAS: 'gateway:2' }, 'PORT 65535 leaves no room for 2 gateways below 65536'],
    [
      { PUBLIC_BASE_URL: 'agents' },
      'PUBLIC_BASE_URL must be an address that begins with http:// or https://',
    ],
    [{ PUBLIC_BASE_URL: 'http://a/?x=1' }, 'PUBLIC_BASE_URL must not have a query or a fragment'],
    [
      { DATABASE_URL: 'mysql://root:pw@db/x' },
      'DATABASE_URL must be an address that begins with postgres:// or postgresql://',
    ],
    [{ REDIS_URL: 'cache:6379' }, 'REDIS_URL must be an address that begins with redis:// or rediss://'],
    [{ SECRETS_KEYS: 'k1:c2hvcnQ=' }, 'SECRETS_KEYS key 1 must be the base64 of exactly 32 bytes'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent'],
  ])('%j', (env, problem) => {
    expect(problemsOf(env)).toEqual([problem]);
  });

  it('tells all problems at once', () => {
    expect(problemsOf({ PORT: '0', REPLICAS: 'walks:2', LOG_TO_STDOUT: 'maybe' })).toHaveLength(3);
  });
});

describe('parseReplicas', () => {
  it('counts what is named', () => {
    expect(parseReplicas('runs:2, gateway:3')).toMatchObject({ runs: 2, gateway: 3, billing: 1 });
  });

  it.each(['runs', 'runs:0', 'runs:x', 'runs:99', 'runs:2,', 'other:1'])('refuses %s', (text) => {
    expect(() => parseReplicas(text)).toThrow();
  });
});
