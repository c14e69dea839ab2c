import { UploadLimiter } from './upload-limiter.js';

describe('UploadLimiter', () => {
  it('gives a team eight imports, and one more when one has ended', () => {
    const limiter = new UploadLimiter();
    const [release] = Array.from({ length: 8 }, () => limiter.acquire('one'));
    expect(() => limiter.acquire('one')).toThrow(
      expect.objectContaining({ code: 'rate_limited', options: { retryAfterSeconds: 5 } }),
    );
    expect(() => limiter.acquire('another')).not.toThrow();
    release!();
    expect(() => limiter.acquire('one')).not.toThrow();
  });

  it('gives all teams together 64; a refusal costs a team nothing', () => {
    const limiter = new UploadLimiter();
    const releases = Array.from({ length: 64 }, (_, n) => limiter.acquire(`team ${n % 8}`));
    for (let times = 0; times < 10; times += 1) {
      expect(() => limiter.acquire('late')).toThrow(expect.objectContaining({ code: 'unavailable' }));
    }
    expect(() => limiter.acquire('team 0')).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    releases[0]!();
    expect(() => limiter.acquire('late')).not.toThrow();
  });
});
