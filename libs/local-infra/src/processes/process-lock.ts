import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { asFileError, errorCode, LocalInfraError } from '../files/errors.js';
import { processIdentity } from './process-identity.js';

export interface ProcessLock {
  release(): void;
}

// A holder that died between creating the file and writing into it leaves it empty.
const emptyFileGraceMs = 5_000;

/** Keeps a folder to one process. A lock left by a dead process is taken over. */
export function acquireProcessLock(path: string, folder: string): ProcessLock {
  const own = JSON.stringify({ pid: process.pid, started: processIdentity(process.pid) });
  for (let attempt = 0; attempt < 10; attempt++) {
    if (tryCreate(path, own)) return { release: () => release(path, own) };
    const held = readIfPresent(path);
    if (held === undefined) continue;
    const holder = holderOf(held, path);
    if (holder !== undefined) {
      throw new LocalInfraError(`${folder} is in use by another process (pid ${holder}); stop it first`);
    }
    removeStale(path, held);
  }
  throw new LocalInfraError(`${folder} is being taken by several processes at once; try again`);
}

function tryCreate(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw asFileError(error, path);
  }
}

/** The number of the living process that holds the lock, if any. */
function holderOf(content: string, path: string): number | string | undefined {
  if (content === '') return Date.now() - statSync(path).mtimeMs < emptyFileGraceMs ? 'unknown' : undefined;
  try {
    const { pid, started } = JSON.parse(content) as { pid?: unknown; started?: unknown };
    return typeof pid === 'number' && processIdentity(pid) === started ? pid : undefined;
  } catch {
    // Half-written by a process that died: no process holds it.
    return undefined;
  }
}

/** Two processes may see the same stale lock; the one that finds it moved leaves the new one where it is. */
function removeStale(path: string, expected: string): void {
  const aside = `${path}.stale-${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw asFileError(error, path);
  }
  if (readIfPresent(aside) === expected) rmSync(aside, { force: true });
  else renameSync(aside, path);
}

function release(path: string, own: string): void {
  if (readIfPresent(path) === own) rmSync(path, { force: true });
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw asFileError(error, path);
  }
}
