import { artifactStatuses, type ArtifactStatus } from '@aos/contracts';
import { after, artifactMoves, endsOf, isBusy } from './artifact-state.js';

const rest = { request: 'pending', restore: 'completed' };

const allowed: Record<ArtifactStatus, object> = {
  not_started: rest,
  pending: { start: 'running', stop: 'interrupted' },
  running: { ask: 'waiting', complete: 'completed', fail: 'failed', stop: 'interrupted' },
  waiting: { answer: 'running', stop: 'interrupted' },
  completed: rest,
  failed: rest,
  interrupted: rest,
};

describe('the states of an artifact', () => {
  it.each(artifactStatuses)('%s allows these moves and no other', (status) => {
    const moves = artifactMoves.flatMap((move) => {
      const to = after(status, move);
      return to === undefined ? [] : [[move, to]];
    });
    expect(Object.fromEntries(moves)).toEqual(allowed[status]);
  });

  it('a move leads to one status, from wherever it is allowed', () => {
    for (const move of artifactMoves) {
      const { from, to } = endsOf(move);
      expect(from.map((status) => after(status, move))).toEqual(from.map(() => to));
    }
    expect(endsOf('answer')).toEqual({ from: ['waiting'], to: 'running' });
  });

  it('busy are those that can be stopped', () => {
    expect(artifactStatuses.filter(isBusy)).toEqual(['pending', 'running', 'waiting']);
  });
});
