import { ApiError, ConnectionError } from './errors.js';
import { pause, retryDelayMs } from './retries.js';

const answered = (status: number, code: ApiError['code'] = null, after: number | null = null) =>
  new ApiError(status, code, 'No.', null, after);

describe('retryDelayMs', () => {
  const most = () => 1;

  it.each([400, 401, 403, 404, 409, 413, 415])('does not try a %i again', (status) => {
    expect(retryDelayMs(answered(status), 0)).toBeUndefined();
  });

  it.each([429, 500, 502, 503, 504])('tries a %i again', (status) => {
    expect(retryDelayMs(answered(status), 0, most)).toBe(250);
  });

  it('tries again where the same key is being worked on, and where nothing answered', () => {
    expect(retryDelayMs(answered(409, 'idempotency_in_progress'), 0, most)).toBe(250);
    expect(retryDelayMs(new ConnectionError('away'), 0, most)).toBe(250);
  });

  it('waits twice as long each time, up to a limit, and never all at once', () => {
    const error = answered(503);
    expect([0, 1, 2, 3, 10].map((attempt) => retryDelayMs(error, attempt, most))).toEqual([
      250, 500, 1000, 2000, 8000,
    ]);
    expect(retryDelayMs(error, 1, () => 0)).toBe(250);
  });

  it('waits as long as it is told, unless that is longer than a person would', () => {
    expect(retryDelayMs(answered(429, 'rate_limited', 7), 0, () => 0)).toBe(7_000);
    expect(retryDelayMs(answered(429, 'rate_limited', 61), 0)).toBeUndefined();
  });

  it('does not try again what it does not know', () => {
    expect(retryDelayMs(new TypeError('teamId: is required'), 0)).toBeUndefined();
  });
});

describe('pause', () => {
  it('ends at once when the caller gives up, with the reason', async () => {
    const controller = new AbortController();
    const waiting = pause(60_000, controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(pause(60_000, controller.signal)).rejects.toThrow('enough');
  });
});
