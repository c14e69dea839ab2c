import fc from 'fast-check';
import { jobBackoffMs } from './job-workers.js';

describe('jobBackoffMs', () => {
  it('doubles from the first delay up to the largest', () => {
    const delays = [1, 2, 3, 4, 5].map((attempt) => jobBackoffMs({ firstMs: 100, maxMs: 1000 }, attempt));
    expect(delays).toEqual([100, 200, 400, 800, 1000]);
  });

  it('never falls, never passes the largest, and is a number a timer takes', () => {
    const backoff = fc
      .tuple(fc.integer({ min: 1, max: 60_000 }), fc.integer({ min: 1, max: 86_400_000 }))
      .map(([firstMs, maxMs]) => ({ firstMs, maxMs }));
    fc.assert(
      fc.property(backoff, fc.integer({ min: 1, max: 10_000 }), (policy, attempt) => {
        const delay = jobBackoffMs(policy, attempt);
        expect(delay).toBeLessThanOrEqual(policy.maxMs);
        expect(delay).toBeGreaterThan(0);
        expect(jobBackoffMs(policy, attempt + 1)).toBeGreaterThanOrEqual(delay);
      }),
    );
  });
});
