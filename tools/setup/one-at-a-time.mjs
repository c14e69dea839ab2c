import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileProblem, readIfPresent, root } from './files.mjs';

const setupLock = join(root, '.nx', 'setup.lock');
const beatMs = 2_000;
const deadAfterMs = 15_000;

/** Serializes starts in one clone. The holder refreshes its lock, so that the lock of a dead process expires. */
export async function oneAtATime(say, work) {
  for (let isWaiting = false; !tryLock(); isWaiting = true) {
    if (!isWaiting) say('Waiting for another start that is installing or building');
    await delay(200);
  }
  const beat = setInterval(() => writeFileSync(setupLock, String(process.pid)), beatMs);
  try {
    await work();
  } catch (error) {
    throw fileProblem(error);
  } finally {
    clearInterval(beat);
    rmSync(setupLock, { force: true });
  }
}

function tryLock() {
  try {
    mkdirSync(dirname(setupLock), { recursive: true });
    const found = statSync(setupLock, { throwIfNoEntry: false });
    const ageMs = found ? Date.now() - found.mtimeMs : 0;
    // A new lock is empty for a moment.
    const stale = ageMs > deadAfterMs || (ageMs > 1_000 && !isRunning(Number(readIfPresent(setupLock))));
    if (stale) rmSync(setupLock, { force: true });
    writeFileSync(setupLock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw fileProblem(error);
  }
}

function isRunning(pid) {
  try {
    return pid > 0 && pid !== process.pid && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
