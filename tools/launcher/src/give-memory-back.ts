import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Of a process that makes next to nothing from now on, so that V8 would keep what its start took: 6 MiB on Node 24. */
export function giveMemoryBack(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (wish?: object) => void;
  collect();
  // Node 20 does not know of this one, and takes it for a small one.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
