// A child: keeps a number of runs in flight over connections that stay open. Only what completes within the measured
// time counts, without a pause after the warm-up: a contender whose runs take long neither gains nor loses by the edges.
import { childInput } from '../children.js';
import { keepAlive } from '../keep-alive.js';
import type { PeerLoad, PeerLoadResult } from './peer-load.types.js';

const { call, inFlight, warmUpSeconds, seconds } = childInput<PeerLoad>();
const send = keepAlive();

const began = performance.now();
const from = began + warmUpSeconds * 1000;
const until = from + seconds * 1000;
const times: number[] = [];
let runs = 0;

async function lane(): Promise<void> {
  for (let before = began; before < until;) {
    const answer = await send('POST', call.url, call.headers, call.body, call.completed);
    if (!answer.includes(call.completed)) throw new Error(`${call.url} answered ${answer.slice(-300)}`);
    const after = performance.now();
    runs += 1;
    if (after >= from && after < until) times.push(after - before);
    before = after;
  }
}

await Promise.all(Array.from({ length: inFlight }, lane));
times.sort((a, b) => a - b);
const result: PeerLoadResult = {
  perSecond: times.length / seconds,
  // Where none completed, it is at least as long as that.
  p50Ms: times[Math.floor(times.length / 2)] ?? seconds * 1000,
  runs,
};
process.send!(result);
