import { isoTime } from './iso-time.js';

describe('isoTime', () => {
  it('tells any time as a date itself does', () => {
    const second = Date.UTC(2026, 10, 18, 15, 27, 29);
    const times = [0, 7, 42, 999, 1_000, 59_999].map((ms) => second + ms);
    const far = [0, -1, -62_167_219_200_001, 253_402_300_800_000, 8.64e15, -8.64e15];
    // Twice, and back and forth: the second that is remembered is another, or the same.
    for (const time of [...times, ...far, ...times.toReversed()]) {
      expect(isoTime(new Date(time))).toBe(new Date(time).toISOString());
    }
  });

  it('refuses what is no time', () => {
    expect(() => isoTime(new Date(Number.NaN))).toThrow(RangeError);
    expect(isoTime(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
  });
});
