import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isQuiet, onNextActivity } from './activity.js';

const lookEveryMs = 10_000;

/**
 * V8 gives memory back by itself when nothing has happened for eight seconds, and drops optimized code with it: a process
 * to which requests come in bursts then needed a quarter more of its processor for each, for half a minute. Where it is
 * started without that (`--no-memory-reducer`), it gives memory back when the process is quiet.
 */
export function giveMemoryBackWhenQuiet(): void {
  // A flag that was not given: V8 does as it likes, also in containers, which have limits of their own.
  if (!process.execArgv.includes('--no-memory-reducer')) return;
  setInterval(() => void (isQuiet() && giveMemoryBack()), lookEveryMs).unref();
}

let isGivenBack = false;

/** Not again before something has come. */
export function giveMemoryBack(): boolean {
  if (isGivenBack) return false;
  isGivenBack = true;
  onNextActivity(() => (isGivenBack = false));
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (wish?: object) => void;
  // A fifth of a second for all services in one process. Node 20 takes the second for a small one.
  collect();
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  return true;
}
