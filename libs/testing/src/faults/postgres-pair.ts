import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startPostgres, type EmbeddedPostgres } from '@aos/local-infra';
import pg from 'pg';
import { eventually } from '../eventually.js';
import { startTcpProxy } from './tcp-proxy.js';

const run = promisify(execFile);

/** A primary and its asynchronous streaming standby, behind one address that leads to the present primary. */
export interface PostgresPair {
  readonly primary: EmbeddedPostgres;
  readonly standby: EmbeddedPostgres;
  /** The address for services. */
  readonly url: string;
  /** Resolves when the standby has replayed all that is committed now. */
  replicate(): Promise<void>;
  /** Resolves when the standby has all commits of before; it receives none of those that follow. */
  loseCommitsFromNowOn(): Promise<void>;
  /** Kills the primary as a power cut would, promotes the standby, and leads the address there. */
  failover(): Promise<void>;
  stop(): Promise<void>;
}

// No machine is switched off here, so nothing need be flushed.
const common = { fsync: 'off', full_page_writes: 'off' };

export async function startPostgresPair(): Promise<PostgresPair> {
  const folder = await mkdtemp(join(tmpdir(), 'aos-pair-'));
  const startPrimary = (port?: number) =>
    startPostgres({ dataDir: join(folder, 'primary'), port, settings: common });
  const startStandby = (settings: Readonly<Record<string, string>>) =>
    startPostgres({ dataDir: join(folder, 'standby'), settings: { ...common, ...settings } });

  const first = await Promise.all([startPrimary(), startStandby({})]);
  const [source, copy] = await Promise.all(first.map(({ url }) => dataFolderOf(url)));
  await Promise.all(first.map((server) => server.stop()));
  // The embedded Postgres brings no pg_basebackup. The owner of the files is kept, who may be another user.
  await rm(copy!, { recursive: true });
  await run('cp', ['-a', source!, copy!]);
  // Any file of that name makes it a standby.
  await run('cp', ['-a', join(copy!, 'PG_VERSION'), join(copy!, 'standby.signal')]);

  const primary = await startPrimary(first[0].port);
  const [address, replication] = await Promise.all([startTcpProxy(primary.url), startTcpProxy(primary.url)]);
  const { username, password } = new URL(primary.url);
  const standby = await startStandby({
    primary_conninfo: `host=127.0.0.1 port=${replication.port} user=${username} password=${password}`,
    wal_retrieve_retry_interval: '100ms',
  });
  // Both have the password of the primary, whose data they share.
  const standbyUrl = Object.assign(new URL(primary.url), { port: String(standby.port) }).href;

  const replicate = async () => {
    const [committed] = await query<{ lsn: string }>(primary.url, 'SELECT pg_current_wal_lsn() AS lsn');
    await eventually(async () => {
      const replayed = 'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS done';
      const [row] = await query<{ done: boolean }>(standbyUrl, replayed, [committed!.lsn]);
      if (!row!.done) throw new Error('The standby has not replayed the commits of the primary');
    });
  };
  return {
    primary,
    standby: { ...standby, url: standbyUrl },
    url: address.url,
    replicate,
    loseCommitsFromNowOn: async () => {
      await replicate();
      replication.refuse();
      replication.cut();
    },
    failover: async () => {
      primary.kill();
      await primary.exited;
      address.refuse();
      address.cut();
      await query(standbyUrl, 'SELECT pg_promote()');
      address.leadTo(standbyUrl);
      address.accept();
    },
    stop: async () => {
      await Promise.all([address.close(), replication.close(), primary.stop(), standby.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function dataFolderOf(url: string): Promise<string> {
  const [row] = await query<{ folder: string }>(url, `SELECT current_setting('data_directory') AS folder`);
  return row!.folder;
}

async function query<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  parameters: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, parameters)).rows;
  } finally {
    await client.end();
  }
}
