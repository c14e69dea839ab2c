import type { builderRunStatuses } from '@aos/contracts';

export type BuilderRunStatus = (typeof builderRunStatuses)[number];

/** Everything that can happen to a builder run. */
export const builderRunMoves = [
  'start',
  'ask',
  'resume',
  'propose',
  'fail',
  'accept',
  'discard',
  'abandon',
] as const;

export type BuilderRunMove = (typeof builderRunMoves)[number];

/** pending → running → (waiting → running)* → awaiting_review → completed | discarded, or failed. */
const table: Readonly<Record<BuilderRunStatus, Partial<Record<BuilderRunMove, BuilderRunStatus>>>> = {
  pending: { start: 'running', abandon: 'discarded' },
  running: { ask: 'waiting', propose: 'awaiting_review', fail: 'failed', abandon: 'discarded' },
  waiting: { resume: 'running', abandon: 'discarded' },
  awaiting_review: { accept: 'completed', discard: 'discarded', abandon: 'discarded' },
  completed: {},
  discarded: {},
  failed: {},
};

const statuses = Object.keys(table) as BuilderRunStatus[];

/** Returns the next status, or undefined if the move is not allowed. */
export function after(status: BuilderRunStatus, move: BuilderRunMove): BuilderRunStatus | undefined {
  return table[status][move];
}

/** For a compare-and-set: the statuses in which a move is allowed, and the one it leads to. */
export function endsOf(move: BuilderRunMove): { from: readonly BuilderRunStatus[]; to: BuilderRunStatus } {
  const from = statuses.filter((status) => after(status, move) !== undefined);
  return { from, to: after(from[0]!, move)! };
}

/** A build has at most one of these. */
export const activeStatuses = statuses.filter((status) => after(status, 'abandon') !== undefined);

/** A worker or a person is at it: the build may not be published meanwhile. */
export const busyStatuses = activeStatuses.filter((status) => status !== 'awaiting_review');

/** The last phase stored by a worker, which resumes there. Clarifying waits for a person. */
const percentByPhase = { queued: 0, reading: 10, drafting: 40, clarifying: 40, checking: 90, done: 100 };

export type BuilderRunPhase = keyof typeof percentByPhase;

export function progressOf(phase: BuilderRunPhase): { phase: BuilderRunPhase; percent: number } {
  return { phase, percent: percentByPhase[phase] };
}
