import { builderRunStatuses } from '@aos/contracts';
import fc from 'fast-check';
import {
  activeStatuses,
  after,
  builderRunMoves,
  busyStatuses,
  endsOf,
  progressOf,
  type BuilderRunStatus,
} from './builder-run-state.js';

const allowed = [
  'pending -start→ running',
  'pending -abandon→ discarded',
  'running -ask→ waiting',
  'running -propose→ awaiting_review',
  'running -fail→ failed',
  'running -abandon→ discarded',
  'waiting -resume→ running',
  'waiting -abandon→ discarded',
  'awaiting_review -accept→ completed',
  'awaiting_review -discard→ discarded',
  'awaiting_review -abandon→ discarded',
];

describe('the states of a builder run', () => {
  it('allow these moves and no other', () => {
    const moves = builderRunStatuses.flatMap((status) =>
      builderRunMoves.flatMap((move) => {
        const next = after(status, move);
        return next === undefined ? [] : [`${status} -${move}→ ${next}`];
      }),
    );
    expect(moves).toEqual(allowed);
  });

  it.each(builderRunMoves)('let "%s" lead to one status, wherever it begins', (move) => {
    const { from, to } = endsOf(move);
    expect(from.length).toBeGreaterThan(0);
    for (const status of from) expect(after(status, move)).toBe(to);
    const others = builderRunStatuses.filter((status) => !from.includes(status));
    for (const status of others) expect(after(status, move)).toBeUndefined();
  });

  it('are active until they are completed, discarded or failed', () => {
    expect(activeStatuses).toEqual(['pending', 'running', 'waiting', 'awaiting_review']);
    expect(busyStatuses).toEqual(['pending', 'running', 'waiting']);
  });

  it('never lead out of an end, and never back to the beginning', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...builderRunMoves)), (moves) => {
        let status: BuilderRunStatus = 'pending';
        for (const move of moves) {
          const next = after(status, move);
          if (next === undefined) continue;
          expect(activeStatuses).toContain(status);
          expect(next).not.toBe('pending');
          status = next;
        }
      }),
    );
  });

  it('tell how far the work is', () => {
    const phases = ['queued', 'reading', 'drafting', 'clarifying', 'drafting', 'checking', 'done'] as const;
    const percents = phases.map((phase) => progressOf(phase).percent);
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
    expect([percents[0], percents.at(-1)]).toEqual([0, 100]);
  });
});
