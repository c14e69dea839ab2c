import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, startManagedProcess } from '@aos/local-infra';
import { eventually } from '../src/index.js';

export interface PgBouncer {
  /** The address of a database through the pooler. */
  urlOf(databaseUrl: string): string;
  stop(): Promise<void>;
}

/** It refuses to run as root. */
const nobody = 65_534;

/** A PgBouncer in transaction mode in front of the server, with so many connections for each database. */
export async function startPgBouncer(
  program: string,
  serverUrl: string,
  poolSize: number,
): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'aos-pgbouncer-'));
  await chmod(folder, 0o755);
  const port = await findFreePort();
  const { hostname, port: serverPort, username, password } = new URL(serverUrl);
  const file = join(folder, 'pgbouncer.ini');
  const settings = `
[databases]
* = host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
`;
  await writeFile(file, settings, { mode: 0o644 });
  const isRoot = process.getuid?.() === 0;
  let output = '';
  const server = startManagedProcess({
    command: program,
    args: [file],
    uid: isRoot ? nobody : undefined,
    gid: isRoot ? nobody : undefined,
    onOutput: (chunk) => (output += chunk),
    stopSignal: 'SIGINT',
    stopGraceMs: 5_000,
    orphanGraceSeconds: 5,
  });
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await eventually(async () => {
      if (!server.isRunning()) throw new Error('PgBouncer has ended');
      await listens(port);
    });
  } catch (error) {
    await stop();
    throw new Error(`PgBouncer does not listen:\n${output}`, { cause: error });
  }
  return {
    urlOf: (databaseUrl) => {
      const url = new URL(databaseUrl);
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    stop,
  };
}

function listens(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(void socket.destroy()));
    socket.on('error', reject);
  });
}
