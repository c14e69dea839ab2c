import type { Metrics } from '@aos/platform';
import type { RedisClock } from '../../redis/redis-clock.js';
import type { AnswerHead } from './rpc-frames.js';

/** There are as many series as operations; a request takes a millisecond or waits for seconds, and little lies between. */
const buckets = [0.0025, 0.01, 0.05, 0.25, 1, 5, 30];

/** How a request ended: refusals are the caller's, failures and what is unavailable are ours. */
export type RpcOutcome = 'ok' | 'replayed' | 'refused' | 'failed' | 'unavailable';

const clientFault = 400;
const serverFault = 500;

/** What the head of an answer says of the outcome. */
export function outcomeOf({ error, status = 200, replayed }: AnswerHead): RpcOutcome {
  if (error) return outcomeOfCode(error.code);
  if (replayed) return 'replayed';
  if (status >= serverFault) return status === 503 ? 'unavailable' : 'failed';
  return status >= clientFault ? 'refused' : 'ok';
}

/** And the code of an error that took the place of one. */
export function outcomeOfCode(code: string): RpcOutcome {
  if (code === 'unavailable') return 'unavailable';
  return code === 'internal_error' ? 'failed' : 'refused';
}

export type ObserveCall = (
  labels: { target: string; operation: string; outcome: RpcOutcome },
  ms: number,
) => void;
export type ObserveAnswer = (labels: { operation: string; outcome: RpcOutcome }, ms: number) => void;

/** How long requests to other services took. */
export function callTimes(metrics: Metrics | undefined): ObserveCall | undefined {
  const times = metrics?.histogram({
    name: 'aos_rpc_client_duration_seconds',
    help: 'Time from a request to another service to its answer',
    labelNames: ['target', 'operation', 'outcome'],
    buckets,
  });
  return times && ((labels, ms) => times.observe(labels, ms / 1_000));
}

/** How long this service took for requests of others, without the time that they waited in Redis. */
export function answerTimes(metrics: Metrics | undefined): ObserveAnswer | undefined {
  const times = metrics?.histogram({
    name: 'aos_rpc_server_duration_seconds',
    help: 'Time that a request of another service was worked on',
    labelNames: ['operation', 'outcome'],
    buckets,
  });
  return times && ((labels, ms) => times.observe(labels, ms / 1_000));
}

/** How far the wall clock of this process is from that of Redis, against which all services can be compared. */
export function showClockOffset(metrics: Metrics | undefined, clock: RedisClock): void {
  metrics?.gauge({
    name: 'aos_clock_offset_seconds',
    help: 'How far the wall clock of the process is ahead of that of Redis',
    collect: (gauge) => {
      const aheadMs = clock.wallClockAheadMs();
      if (aheadMs !== undefined) gauge.set(aheadMs / 1_000);
    },
  });
}
