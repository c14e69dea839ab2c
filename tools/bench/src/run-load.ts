// A child: starts runs over HTTP, a number at a time, and measures until each has completed.
import { childInput } from './children.js';
import { keepAlive } from './keep-alive.js';
import type { RunLoad, RunLoadResult } from './run-load.types.js';

const { base, key, team, agentId, inFlight, seconds, warmUpSeconds = 3, mode } = childInput<RunLoad>();
const request = keepAlive();
const authorized = { authorization: `Bearer ${key}` };
const longWait = 30;

interface Started {
  readonly run_id: string;
  readonly status: string;
}

function send(method: string, path: string, body?: object): Promise<string> {
  return body
    ? request(
        method,
        `${base}${path}`,
        { ...authorized, 'content-type': 'application/json' },
        JSON.stringify(body),
      )
    : request(method, `${base}${path}`, authorized);
}

async function oneRun(): Promise<{ startMs: number; wholeMs: number }> {
  const before = performance.now();
  const wish = { agent_id: agentId, message: 'go', wait_seconds: mode === 'wait' ? longWait : 0 };
  const { run_id: runId, status } = JSON.parse(await send('POST', `/v2/teams/${team}/runs`, wish)) as Started;
  const startMs = performance.now() - before;
  if (mode === 'follow') {
    const events = await send('GET', `/v2/runs/${runId}/events`);
    if (!events.includes('run.completed')) throw new Error(`The stream of ${runId} has no end`);
  } else if (status !== 'completed') throw new Error(`The run ${runId} is ${status}`);
  return { startMs, wholeMs: performance.now() - before };
}

async function load(durationMs: number): Promise<{ startMs: number; wholeMs: number }[]> {
  const done: { startMs: number; wholeMs: number }[] = [];
  const end = performance.now() + durationMs;
  const lane = async () => {
    while (performance.now() < end) done.push(await oneRun());
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return done;
}

function quantiles(values: number[]): { p50Ms: number; p99Ms: number } {
  values.sort((a, b) => a - b);
  const at = (share: number) => values[Math.min(values.length - 1, Math.floor(values.length * share))]!;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

await load(warmUpSeconds * 1000);
const began = performance.now();
const done = await load(seconds * 1000);
const took = (performance.now() - began) / 1000;
const result: RunLoadResult = {
  runs: done.length,
  seconds: took,
  perSecond: done.length / took,
  start: quantiles(done.map(({ startMs }) => startMs)),
  whole: quantiles(done.map(({ wholeMs }) => wholeMs)),
};
process.send!(result);
