import { endedRunStatuses, type RunStatus } from '@aos/contracts';

/** Everything that can happen to a run. */
export const runMoves = [
  'take',
  'step',
  'post',
  'ask',
  'settle',
  'complete',
  'fail',
  'stop',
  'reopen',
] as const;

export type RunMoveName = (typeof runMoves)[number];

/** pending → running → (waiting → running)* → completed | failed | stopped; a message reopens what has ended. */
const table: Readonly<Record<RunStatus, Partial<Record<RunMoveName, RunStatus>>>> = {
  pending: { take: 'running', post: 'pending', stop: 'stopped' },
  running: {
    take: 'running',
    step: 'running',
    post: 'running',
    ask: 'waiting',
    complete: 'completed',
    fail: 'failed',
    stop: 'stopped',
  },
  waiting: { post: 'waiting', settle: 'running', fail: 'failed', stop: 'stopped' },
  completed: { reopen: 'running' },
  failed: { reopen: 'running' },
  stopped: { reopen: 'running' },
};

const statuses = Object.keys(table) as RunStatus[];

/** Returns the next status, or undefined if the move is not allowed. */
export function after(status: RunStatus, move: RunMoveName): RunStatus | undefined {
  return table[status][move];
}

/** For a compare-and-set: the statuses in which a move is allowed. */
export function startsOf(move: RunMoveName): RunStatus[] {
  return statuses.filter((status) => after(status, move) !== undefined);
}

/** The condition and the outcome of a change that makes a move, wherever it begins. */
export function changeBy(move: Exclude<RunMoveName, 'post'>): { from: RunStatus[]; status: RunStatus } {
  const from = startsOf(move);
  return { from, status: after(from[0]!, move)! };
}

/** Statuses in which something is still to happen. */
export const openStatuses = statuses.filter(
  (status) => !(endedRunStatuses as readonly RunStatus[]).includes(status),
);
