import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, LocalInfraError } from '../files/errors.js';
import { processIdentity } from '../processes/process-identity.js';

const fastShutdownMs = 8_000;
const killMs = 5_000;

export interface PostmasterPid {
  pid: number;
  ready: boolean;
}

/** What the running server wrote down about itself: its number on line 1, its state on line 8. */
export function parsePostmasterPid(content: string): PostmasterPid | undefined {
  const lines = content.split('\n');
  const pid = Number(lines[0]?.trim());
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, ready: lines[7]?.trim() === 'ready' };
}

export function readPostmasterPid(cluster: string): PostmasterPid | undefined {
  try {
    return parsePostmasterPid(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Ends what a crashed parent left running on this cluster, so that a new server may start. The caller holds the lock
 * of the folder, so no living parent is robbed of its server.
 */
export async function endLeftovers(cluster: string, log: (line: string) => void): Promise<void> {
  const noted = readPostmasterPid(cluster);
  let left = processesOf(cluster, noted);
  if (left.length > 0) {
    log(`ending ${left.length} processes that an earlier start left on ${cluster}`);
    // The postmaster tells its children; after it is gone they end by themselves.
    if (noted && left.includes(noted.pid)) signal([noted.pid], 'SIGINT');
    left = await untilGone(cluster, noted, fastShutdownMs);
    signal(left, 'SIGKILL');
    left = await untilGone(cluster, noted, killMs);
    if (left.length > 0) {
      throw new LocalInfraError(`process ${left[0]} still runs on ${cluster} and cannot be ended`);
    }
  }
  // Its number may belong to an unrelated process by now, which Postgres takes for a running server.
  if (noted && processIdentity(noted.pid) !== undefined)
    rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

async function untilGone(cluster: string, noted: PostmasterPid | undefined, ms: number): Promise<number[]> {
  const deadline = Date.now() + ms;
  let left = processesOf(cluster, noted);
  while (left.length > 0 && Date.now() < deadline) {
    await delay(50);
    left = processesOf(cluster, noted);
  }
  return left;
}

/** Every process of a server works in the folder of its cluster, which tells it from any other. */
function processesOf(cluster: string, noted: PostmasterPid | undefined): number[] {
  const folder = realpathSync(cluster);
  if (process.platform !== 'linux') {
    return noted && processIdentity(noted.pid) !== undefined ? [noted.pid] : [];
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && workingFolder(name) === folder)
    .map(Number)
    .filter((pid) => pid !== process.pid && isPostgres(pid) && processIdentity(pid) !== undefined);
}

function workingFolder(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // Gone since the listing, or of another user and so not of this cluster.
    return undefined;
  }
}

/** A person's shell may stand in that folder too. */
function isPostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
  } catch {
    return false;
  }
}

function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') throw error;
    }
  }
}
