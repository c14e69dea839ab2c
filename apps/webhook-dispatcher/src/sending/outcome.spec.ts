import type { Attempt } from './attempt.js';
import { outcomeOf } from './outcome.js';

const schedule = [0, 1_000, 2_000];

function attemptWith(change: Partial<Attempt>): Attempt {
  return {
    endedAtMs: 0,
    statusCode: 500,
    durationMs: 400,
    error: 'It failed.',
    responseBody: null,
    ...change,
  };
}

describe('outcomeOf', () => {
  it.each([200, 201, 202, 204, 299])('takes %i for delivered, at whatever attempt', (statusCode) => {
    for (const number of [1, 2, 3, 99]) {
      const outcome = outcomeOf(attemptWith({ statusCode, retryAfterMs: 5_000 }), number, schedule);
      expect(outcome).toEqual({ status: 'delivered', retryAfterMs: null, gone: false });
    }
  });

  it.each([100, 199, 300, 301, 304, 307, 400, 401, 404, 409, 411, 429, 500, 503, 599, null])(
    'tries again after %p, and gives up after the last attempt',
    (statusCode) => {
      for (const number of [1, 2]) {
        const outcome = outcomeOf(attemptWith({ statusCode }), number, schedule);
        expect(outcome).toEqual({ status: 'pending', retryAfterMs: expect.any(Number), gone: false });
      }
      const last = outcomeOf(attemptWith({ statusCode }), 3, schedule);
      expect(last).toEqual({ status: 'dead', retryAfterMs: null, gone: false });
    },
  );

  it('gives up at once where the receiver says that it is gone', () => {
    const outcome = outcomeOf(attemptWith({ statusCode: 410, retryAfterMs: 5_000 }), 1, schedule);
    expect(outcome).toEqual({ status: 'dead', retryAfterMs: null, gone: true });
  });

  it('gives the receiver the time that it asks for', () => {
    const { retryAfterMs } = outcomeOf(attemptWith({ retryAfterMs: 60_000 }), 1, schedule);
    expect(retryAfterMs).toBe(60_000);
  });

  it('tries once where the schedule has one attempt', () => {
    expect(outcomeOf(attemptWith({}), 1, [0])).toMatchObject({ status: 'dead', retryAfterMs: null });
  });
});
