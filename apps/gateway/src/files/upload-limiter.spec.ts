import { UploadLimiter } from './upload-limiter.js';

describe('the places for imports at a gateway', () => {
  it('are eight for a team, and free again when one has ended', () => {
    const limiter = new UploadLimiter();
    const [leave] = Array.from({ length: 8 }, () => limiter.take('one'));
    expect(() => limiter.take('one')).toThrow(
      expect.objectContaining({ code: 'rate_limited', options: { retryAfterSeconds: 5 } }),
    );
    expect(() => limiter.take('another')).not.toThrow();
    leave!();
    expect(() => limiter.take('one')).not.toThrow();
  });

  it('are bounded for all teams together, and a refusal costs the team none of its own', () => {
    const limiter = new UploadLimiter();
    const taken = Array.from({ length: 64 }, (_, n) => limiter.take(`team ${n % 8}`));
    for (let times = 0; times < 10; times += 1) {
      expect(() => limiter.take('late')).toThrow(expect.objectContaining({ code: 'unavailable' }));
    }
    taken[0]!();
    expect(() => limiter.take('late')).not.toThrow();
  });
});
