import { runStatuses } from '@aos/contracts';
import { after, changeBy, openStatuses, runMoves, startsOf } from './run-state.js';

describe('the moves of a run', () => {
  it.each([
    ['pending', { take: 'running', post: 'pending', stop: 'stopped' }],
    [
      'running',
      {
        take: 'running',
        step: 'running',
        post: 'running',
        ask: 'waiting',
        complete: 'completed',
        fail: 'failed',
        stop: 'stopped',
      },
    ],
    ['waiting', { post: 'waiting', settle: 'running', fail: 'failed', stop: 'stopped' }],
    ['completed', { reopen: 'running' }],
    ['failed', { reopen: 'running' }],
    ['stopped', { reopen: 'running' }],
  ] as const)('from %s', (status, expected) => {
    const possible = runMoves.flatMap((move) => {
      const to = after(status, move);
      return to === undefined ? [] : [[move, to]];
    });
    expect(Object.fromEntries(possible)).toEqual(expected);
  });

  it.each(runMoves.filter((move) => move !== 'post'))(
    '%s leads to one status, wherever it begins',
    (move) => {
      const { from, status } = changeBy(move);
      expect(from).toEqual(startsOf(move));
      expect(new Set(from.map((start) => after(start, move)))).toEqual(new Set([status]));
    },
  );

  it('know where each may begin, and which statuses are open', () => {
    expect(startsOf('stop')).toEqual(['pending', 'running', 'waiting']);
    expect(startsOf('settle')).toEqual(['waiting']);
    expect(openStatuses).toEqual(runStatuses.slice(0, 3));
  });
});
