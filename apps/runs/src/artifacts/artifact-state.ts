import type { ArtifactStatus } from '@aos/contracts';

/** Everything that can happen to an artifact. */
export const artifactMoves = [
  'request',
  'start',
  'ask',
  'answer',
  'complete',
  'fail',
  'stop',
  'restore',
] as const;

export type ArtifactMove = (typeof artifactMoves)[number];

type Moves = Partial<Record<ArtifactMove, ArtifactStatus>>;

const atRest: Moves = { request: 'pending', restore: 'completed' };

/** pending → running → (waiting → running)* → completed | failed | interrupted, and again from there. */
const table: Readonly<Record<ArtifactStatus, Moves>> = {
  not_started: atRest,
  pending: { start: 'running', stop: 'interrupted' },
  running: { ask: 'waiting', complete: 'completed', fail: 'failed', stop: 'interrupted' },
  waiting: { answer: 'running', stop: 'interrupted' },
  completed: atRest,
  failed: atRest,
  interrupted: atRest,
};

const statuses = Object.keys(table) as ArtifactStatus[];

/** Returns the next status, or undefined if the move is not allowed. */
export function after(status: ArtifactStatus, move: ArtifactMove): ArtifactStatus | undefined {
  return table[status][move];
}

/** For a compare-and-set: the statuses in which a move is allowed, and the one it leads to. */
export function endsOf(move: ArtifactMove): { from: readonly ArtifactStatus[]; to: ArtifactStatus } {
  const from = statuses.filter((status) => after(status, move) !== undefined);
  return { from, to: after(from[0]!, move)! };
}

/** A page is being made, or a person has yet to say something about it. */
export function isBusy(status: ArtifactStatus): boolean {
  return after(status, 'stop') !== undefined;
}
