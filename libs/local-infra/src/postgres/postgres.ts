import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { EmbeddedStore, StoreLog } from '../embedded-store.js';
import { asFileError, LocalInfraError } from '../files/errors.js';
import { makeFolder } from '../files/folder.js';
import { findFreePort } from '../sockets/free-port.js';
import { outputTail } from '../processes/lines.js';
import { type ManagedProcess, startManagedProcess } from '../processes/managed-process.js';
import { choosePostgresAccount, type PostgresAccount, type PostgresAccountKind } from './postgres-account.js';
import { ensureCluster, type PostgresCluster, superuser } from './postgres-cluster.js';
import { explainPostgresFault } from './postgres-faults.js';
import { endLeftovers, readPostmasterPid } from './postgres-leftovers.js';
import { acceptsSessions } from './postgres-probe.js';
import { socketFolderOf, socketSettings } from './postgres-socket.js';
import { acquireProcessLock } from '../processes/process-lock.js';

export interface PostgresOptions {
  /** The folder that holds the cluster and its password; made when missing. */
  dataDir: string;
  /** A free port is taken when none is given. */
  port?: number;
  log?: StoreLog;
  /** Server settings over our own, for instance `{ log_statement: 'all' }`. */
  settings?: Readonly<Record<string, string>>;
  /** Only for tests: otherwise the first that works on this machine is taken. */
  account?: PostgresAccountKind;
}

export type EmbeddedPostgres = EmbeddedStore;

const defaultSettings = {
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  // Three times as much served no more runs a second: what is not here is in the cache of the system.
  shared_buffers: '20MB',
  wal_buffers: '1MB',
  max_logical_replication_workers: '0',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  logging_collector: 'off',
};

// Recovery after a crash reads the write-ahead log, at most 1 GB of it.
const startTimeoutMs = 120_000;
const portAttempts = 5;

/** Starts a Postgres of our own, and makes its cluster on the first start. */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  makeFolder(options.dataDir);
  const dataDir = realpathSync(options.dataDir);
  const lock = acquireProcessLock(join(dataDir, 'lock'), dataDir);
  try {
    const account = await choosePostgresAccount(dataDir, options.account);
    const cluster = await ensureCluster(account, dataDir, log);
    await endLeftovers(cluster.path, log);
    const store = await startOnSomePort(account, cluster, options, log);
    void store.exited.then(() => lock.release());
    return store;
  } catch (error) {
    lock.release();
    throw asFileError(error, dataDir);
  }
}

async function startOnSomePort(
  account: PostgresAccount,
  cluster: PostgresCluster,
  options: PostgresOptions,
  log: StoreLog,
): Promise<EmbeddedPostgres> {
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await findFreePort());
    try {
      const sockets = await socketFolderOf(account, port);
      const settings = { ...defaultSettings, ...socketSettings(sockets), ...options.settings };
      const server = await startServer(account, cluster, settings, port, log);
      return {
        ...server,
        ...(sockets !== undefined && { socketUrl: `${server.url}?host=${encodeURIComponent(sockets)}` }),
      };
    } catch (error) {
      // Another program may have taken the port we had found free.
      const again = error instanceof PortTakenError && options.port === undefined && attempt < portAttempts;
      if (!again) throw error;
    }
  }
}

class PortTakenError extends LocalInfraError {}

async function startServer(
  account: PostgresAccount,
  cluster: PostgresCluster,
  settings: Readonly<Record<string, string>>,
  port: number,
  log: StoreLog,
): Promise<EmbeddedPostgres> {
  const tail = outputTail(log);
  const [command, ...prefixArgs] = [...account.prefix, account.binaries.postgres];
  const flags = Object.entries({ ...settings, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const server = startManagedProcess({
    command: command!,
    args: [...prefixArgs, '-D', cluster.path, ...flags],
    cwd: account.home,
    uid: account.uid,
    gid: account.gid,
    onOutput: tail.push,
    // A fast shutdown: sessions are cut, open transactions rolled back, everything flushed.
    stopSignal: 'SIGINT',
    stopGraceMs: 15_000,
    orphanGraceSeconds: 5,
  });
  if (!(await isReady(server, cluster.path, port))) {
    await server.stop();
    const output = tail.text();
    const message = `Postgres did not start: ${explainPostgresFault(output, { port, dataDir: account.home })}`;
    throw /Address already in use/.test(output) ? new PortTakenError(message) : new LocalInfraError(message);
  }
  return {
    description: `the embedded Postgres ${account.binaries.version}`,
    url: `postgres://${superuser}:${cluster.password}@127.0.0.1:${port}/postgres`,
    port,
    pid: server.pid!,
    exited: server.exited,
    stop: server.stop,
    kill: server.kill,
  };
}

/** Ready when our own server, and not another on that port, says so and takes a session. */
async function isReady(server: ManagedProcess, cluster: string, port: number): Promise<boolean> {
  const deadline = Date.now() + startTimeoutMs;
  let ended = false;
  void server.exited.then(() => (ended = true));
  while (!ended && Date.now() < deadline) {
    const noted = readPostmasterPid(cluster);
    if (noted?.ready && noted.pid === server.pid && (await acceptsSessions(port, superuser))) return true;
    await delay(20);
  }
  return false;
}
