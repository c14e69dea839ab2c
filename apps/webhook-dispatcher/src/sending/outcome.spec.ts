import fc from 'fast-check';
import type { Attempt } from './attempt.js';
import { outcomeOf } from './outcome.js';

const schedule = [0, 1_000, 2_000];
const at = new Date('2026-01-01T00:00:00.000Z');

function attemptWith(change: Partial<Attempt>): Attempt {
  return { at, statusCode: 500, durationMs: 400, error: 'It failed.', responseBody: null, ...change };
}

describe('outcomeOf', () => {
  it.each([200, 201, 202, 204, 299])('takes %i for delivered, at whatever attempt', (statusCode) => {
    for (const number of [1, 2, 3, 99]) {
      const outcome = outcomeOf(attemptWith({ statusCode, retryAfterMs: 5_000 }), number, schedule);
      expect(outcome).toEqual({ status: 'delivered', nextAttemptAt: null, gone: false });
    }
  });

  it.each([100, 199, 300, 301, 304, 307, 400, 401, 404, 409, 411, 429, 500, 503, 599, null])(
    'tries again after %p, and gives up after the last attempt',
    (statusCode) => {
      for (const number of [1, 2]) {
        const outcome = outcomeOf(attemptWith({ statusCode }), number, schedule);
        expect(outcome).toEqual({ status: 'pending', nextAttemptAt: expect.any(Date), gone: false });
      }
      const last = outcomeOf(attemptWith({ statusCode }), 3, schedule);
      expect(last).toEqual({ status: 'dead', nextAttemptAt: null, gone: false });
    },
  );

  it('gives up at once where the receiver says that it is gone', () => {
    const outcome = outcomeOf(attemptWith({ statusCode: 410, retryAfterMs: 5_000 }), 1, schedule);
    expect(outcome).toEqual({ status: 'dead', nextAttemptAt: null, gone: true });
  });

  it('waits from the end of an attempt, not from its beginning', () => {
    fc.assert(
      fc.property(fc.nat(60_000), (durationMs) => {
        const { nextAttemptAt } = outcomeOf(attemptWith({ durationMs }), 1, schedule);
        const waitMs = nextAttemptAt!.getTime() - at.getTime() - durationMs;
        expect(waitMs).toBeGreaterThanOrEqual(900);
        expect(waitMs).toBeLessThanOrEqual(1_100);
      }),
    );
  });

  it('gives the receiver the time that it asks for', () => {
    const { nextAttemptAt } = outcomeOf(attemptWith({ retryAfterMs: 60_000 }), 1, schedule);
    expect(nextAttemptAt).toEqual(new Date(at.getTime() + 400 + 60_000));
  });

  it('tries once where the schedule has one attempt', () => {
    expect(outcomeOf(attemptWith({}), 1, [0])).toMatchObject({ status: 'dead', nextAttemptAt: null });
  });
});
