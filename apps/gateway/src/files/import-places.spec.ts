import { ImportPlaces } from './import-places.js';

describe('the places for imports at a gateway', () => {
  it('are eight for a team, and free again when one has ended', () => {
    const places = new ImportPlaces();
    const [leave] = Array.from({ length: 8 }, () => places.take('one'));
    expect(() => places.take('one')).toThrow(
      expect.objectContaining({ code: 'rate_limited', options: { retryAfterSeconds: 5 } }),
    );
    expect(() => places.take('another')).not.toThrow();
    leave!();
    expect(() => places.take('one')).not.toThrow();
  });

  it('are bounded for all teams together, and a refusal costs the team none of its own', () => {
    const places = new ImportPlaces();
    const taken = Array.from({ length: 64 }, (_, n) => places.take(`team ${n % 8}`));
    for (let times = 0; times < 10; times += 1) {
      expect(() => places.take('late')).toThrow(expect.objectContaining({ code: 'unavailable' }));
    }
    taken[0]!();
    expect(() => places.take('late')).not.toThrow();
  });
});
