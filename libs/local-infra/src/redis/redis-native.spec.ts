import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import {
  describeWithRedisServer,
  eventually,
  expectPrivate,
  isAlive,
  nativeRedis,
  runParent,
  temporaryFolder,
} from '../../test/support.js';
import { LocalInfraError } from '../files/errors.js';
import { findFreePort, isPortFree } from '../sockets/free-port.js';
import { type EmbeddedRedis, startRedis } from './redis.js';

const timeoutMs = 30_000;
const folder = temporaryFolder();
const clients: Redis[] = [];
const connect = (to: EmbeddedRedis) => {
  const client = new Redis(to.url);
  clients.push(client);
  return client;
};
afterEach(() => {
  for (const client of clients.splice(0)) client.disconnect();
});
afterAll(() => folder.remove());

describeWithRedisServer('startRedis with the server of this machine', () => {
  const start = (name: string, port?: number) => startRedis({ dataDir: join(folder.path, name), port });

  it('takes it before the embedded one, on loopback, in memory, without eviction', async () => {
    const server = await start('shared');
    try {
      expect(server).toMatchObject({ kind: nativeRedis?.kind, description: nativeRedis?.description });
      const client = connect(server);
      for (const [name, value] of Object.entries({
        bind: '127.0.0.1',
        save: '',
        appendonly: 'no',
        'maxmemory-policy': 'noeviction',
        unixsocket: join(folder.path, 'shared', `${server.port}.sock`),
      })) {
        expect(await client.config('GET', name)).toEqual([name, value]);
      }
      expect(await connect({ ...server, url: server.socketUrl! }).ping()).toBe('PONG');
      await expectPrivate(server);
      // Other users of the machine see the arguments of a process.
      expect(readFileSync(`/proc/${server.pid}/cmdline`, 'utf8')).not.toContain(new URL(server.url).password);
      const outside = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
      for (const { address } of outside.filter(({ internal, family }) => !internal && family === 'IPv4')) {
        expect(await isPortFree(server.port, address)).toBe(true);
      }
      expect(await client.eval('return redis.call("INCRBY", KEYS[1], ARGV[1])', 1, 'counter', 5)).toBe(5);
    } finally {
      await server.stop();
    }
    expect(await server.exited).toMatchObject({ code: 0, expected: true });
    expect(readdirSync(join(folder.path, 'shared'))).toEqual(['password']);
  });

  it('forgets all when it dies, and can take its port again', async () => {
    const first = await start('own');
    await connect(first).set('key', 'value');
    first.kill();
    expect(await first.exited).toMatchObject({ signal: 'SIGKILL' });
    const second = await start('own', first.port);
    expect(await connect(second).exists('key')).toBe(0);
    await second.stop();
    expect(isAlive(second.pid)).toBe(false);
  });

  it('says in one line that the port is busy', async () => {
    const port = await findFreePort();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    await expect(start('busy', port)).rejects.toEqual(
      new LocalInfraError(`port ${port} on 127.0.0.1 is already in use`),
    );
    await new Promise((resolve) => other.close(resolve));
  });

  it(
    'does not outlive a parent that is killed',
    async () => {
      const { parent, printed } = await runParent(
        folder.path,
        `const { pid, kind } = await infra.startRedis({ dataDir: ${JSON.stringify(join(folder.path, 'orphan'))} });
         console.log(JSON.stringify({ pid, kind }));
         setInterval(() => {}, 1000);`,
      );
      const { pid, kind } = printed as { pid: number; kind: string };
      expect(kind).toBe(nativeRedis?.kind);
      expect(isAlive(pid)).toBe(true);
      parent.kill('SIGKILL');
      await eventually(() => !isAlive(pid), 15_000);
    },
    timeoutMs,
  );
});

describe('startRedis where the server of the machine is of no use', () => {
  /** A folder with a `redis-server` that tells this version and then does not run. */
  const pathWith = (version: string) => {
    const path = join(folder.path, `bin-${version}`);
    mkdirSync(path);
    writeFileSync(
      join(path, 'redis-server'),
      `#!/bin/sh\n[ "$1" = --version ] && echo "Redis server v=${version} sha=0" || { echo "no luck today"; exit 1; }\n`,
    );
    chmodSync(join(path, 'redis-server'), 0o755);
    return `${path}:/bin:/usr/bin`;
  };
  const options = (name: string, version: string) => ({
    dataDir: join(folder.path, name),
    path: pathWith(version),
  });

  it('takes the embedded one instead of one that cannot run, and says why', async () => {
    const log: string[] = [];
    const server = await startRedis({ ...options('broken', '7.4.1'), log: (line) => log.push(line) });
    await server.stop();
    // Where a valkey-server is there too, it is the next.
    expect(server.kind).not.toBe('redis-server');
    expect(log.join('\n')).toContain('redis-server 7.4 from the PATH did not start on');
    expect(log.join('\n')).toMatch(
      /no luck today; set REDIS_URL to a Redis of your own, or install redis-server/,
    );
  });

  it('passes over one that is too old', async () => {
    const server = await startRedis(options('old', '5.0.14'));
    await server.stop();
    expect(server.kind).not.toBe('redis-server');
  });

  it('refuses when that one was asked for by name', async () => {
    await expect(startRedis({ ...options('asked', '6.0.1'), kind: 'redis-server' })).rejects.toEqual(
      new LocalInfraError('redis-server is not on the PATH, or older than 6.2'),
    );
  });
});
