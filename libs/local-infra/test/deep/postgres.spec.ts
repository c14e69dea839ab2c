import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { eventually, isAlive, temporaryFolder } from '../support.js';
import { LocalInfraError } from '../../src/files/errors.js';
import { findFreePort } from '../../src/sockets/free-port.js';
import type { PostgresAccountKind } from '../../src/postgres/postgres-account.js';
import { type EmbeddedPostgres, startPostgres } from '../../src/postgres/postgres.js';

const timeoutMs = 60_000;

async function query(
  server: EmbeddedPostgres,
  sql: string,
  url = server.url,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('startPostgres', () => {
  const folder = temporaryFolder();
  const running: EmbeddedPostgres[] = [];
  const start = async (name: string, more: { port?: number; account?: PostgresAccountKind } = {}) => {
    const server = await startPostgres({ dataDir: join(folder.path, name), ...more });
    running.push(server);
    return server;
  };
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.stop()));
  });
  afterAll(() => folder.remove());

  it(
    'keeps its data over a stop and a start, durably and in UTF-8',
    async () => {
      const first = await start('kept');
      await query(first, `create table kept (word text); insert into kept values ('Größe')`);
      await first.stop();
      expect(await first.exited).toMatchObject({ code: 0, expected: true });
      expect(isAlive(first.pid)).toBe(false);

      const second = await start('kept');
      expect(await query(second, 'select upper(word) as word from kept')).toEqual([{ word: 'GRÖßE' }]);
      expect(
        await query(
          second,
          `select current_setting('fsync') as fsync, current_setting('max_connections') as connections,
                current_setting('server_encoding') as encoding, current_setting('listen_addresses') as addresses`,
        ),
      ).toEqual([{ fsync: 'on', connections: '200', encoding: 'UTF8', addresses: '127.0.0.1' }]);
      expect(statSync(join(folder.path, 'kept', 'password')).mode & 0o777).toBe(0o600);
    },
    timeoutMs,
  );

  it(
    'is reached by a Unix socket that others cannot enter, with a password there too',
    async () => {
      const name = `its "own", quoted`;
      const server = await start(name);
      const local = 'select inet_server_addr() is null as local';
      expect(await query(server, local, server.socketUrl)).toEqual([{ local: true }]);
      expect(await query(server, local)).toEqual([{ local: false }]);
      expect(statSync(join(folder.path, name, 'sockets')).mode & 0o777).toBe(0o700);
      const wrong = new URL(server.socketUrl!);
      wrong.password = 'wrong';
      await expect(query(server, local, wrong.href)).rejects.toThrow('password authentication failed');
    },
    timeoutMs,
  );

  it(
    'does without a socket where its path would be too long',
    async () => {
      const server = await start('long'.repeat(25));
      expect(server.socketUrl).toBeUndefined();
      expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    },
    timeoutMs,
  );

  it(
    'refuses a wrong password',
    async () => {
      const { port } = await start('kept');
      const client = new pg.Client(`postgres://postgres:wrong@127.0.0.1:${port}/postgres`);
      await expect(client.connect()).rejects.toThrow('password authentication failed');
    },
    timeoutMs,
  );

  it(
    'runs two instances side by side, but not two on one folder',
    async () => {
      const [one, two] = await Promise.all([start('one'), start('two')]);
      expect(one.port).not.toBe(two.port);
      await query(one, 'create table only_here ()');
      await expect(query(two, 'select * from only_here')).rejects.toThrow('does not exist');
      await expect(start('one')).rejects.toThrow(/is in use by another process/);
    },
    timeoutMs,
  );

  it(
    'makes a cluster again that a crash left half-made',
    async () => {
      const dataDir = join(folder.path, 'interrupted');
      mkdirSync(join(dataDir, 'cluster.init-1', 'base'), { recursive: true });
      writeFileSync(join(dataDir, 'cluster.init-1', 'PG_VERSION'), '17\n');
      const server = await start('interrupted');
      expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
      expect(readdirSync(dataDir).filter((name) => name.includes('init'))).toEqual([]);
    },
    timeoutMs,
  );

  it(
    'starts after a crash, and past the number of an unrelated process in postmaster.pid',
    async () => {
      const first = await start('crashed');
      await query(first, 'create table survivor ()');
      first.kill();
      await first.exited;
      const noted = join(folder.path, 'crashed', 'cluster', 'postmaster.pid');
      const sockets = join(folder.path, 'crashed', 'sockets');
      const locks = readdirSync(sockets).filter((name) => name.endsWith('.lock'));
      expect(locks).toHaveLength(1);
      for (const file of [noted, join(sockets, locks[0]!)]) {
        writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(process.ppid)));
      }
      const second = await start('crashed', { port: first.port });
      expect(await query(second, 'select 1 as one', second.socketUrl)).toEqual([{ one: 1 }]);
      expect(await query(second, `select to_regclass('survivor') is not null as there`)).toEqual([
        { there: true },
      ]);
    },
    timeoutMs,
  );

  it(
    'says in one line that the port is busy',
    async () => {
      const port = await findFreePort();
      const other = createServer();
      await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
      await expect(start('one', { port })).rejects.toEqual(
        new LocalInfraError(`Postgres did not start: port ${port} on 127.0.0.1 is already in use`),
      );
      await new Promise((resolve) => other.close(resolve));
      expect((await start('one', { port })).port).toBe(port);
    },
    timeoutMs,
  );

  it(
    'says in one line that the cluster is of another major version',
    async () => {
      const dataDir = join(folder.path, 'older');
      mkdirSync(join(dataDir, 'cluster'), { recursive: true });
      writeFileSync(join(dataDir, 'cluster', 'PG_VERSION'), '15\n');
      await expect(start('older')).rejects.toThrow(
        /was made by Postgres 15, but this program brings Postgres 17/,
      );
    },
    timeoutMs,
  );

  it(
    'says in one line that the folder cannot be made',
    async () => {
      writeFileSync(join(folder.path, 'file'), '');
      await expect(start('file/below')).rejects.toThrow(
        /^cannot use .*: a part of the path is not a folder$/,
      );
    },
    timeoutMs,
  );

  it(
    'ends the server that a lost parent left behind',
    async () => {
      const orphan = await start('orphaned');
      rmSync(join(folder.path, 'orphaned', 'lock'));
      const next = await start('orphaned');
      expect(next.pid).not.toBe(orphan.pid);
      await eventually(() => !isAlive(orphan.pid));
      expect(await query(next, 'select 1 as one')).toEqual([{ one: 1 }]);
    },
    timeoutMs,
  );

  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot(
    'runs as the user nobody where namespaces are refused',
    async () => {
      const first = await start('nobody', { account: 'other-user' });
      const home = readFileSync(join(folder.path, 'nobody', 'location'), 'utf8');
      try {
        expect(
          execFileSync('ps', ['-o', 'uid=', '-p', String(first.pid)], { encoding: 'utf8' }).trim(),
        ).not.toBe('0');
        await query(first, 'create table kept ()', first.socketUrl);
        await first.stop();
        // The place of the data decides from now on, whatever else would work.
        const second = await start('nobody');
        await query(second, 'select * from kept');
        await second.stop();
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
      expect(existsSync(home)).toBe(false);
    },
    timeoutMs,
  );
});
