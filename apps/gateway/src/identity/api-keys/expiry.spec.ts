import { expiryOf } from './expiry.js';

const now = new Date('2026-07-18T12:00:00.000Z');

describe('expiryOf', () => {
  it.each([[null], [undefined]])('%s: nothing is asked for', (wanted) => {
    expect(expiryOf(wanted, now)).toBeUndefined();
  });

  it.each([
    ['2026-07-18T12:00:00.001Z', '2026-07-18T12:00:00.001Z'],
    ['2026-07-18T14:30:00+02:00', '2026-07-18T12:30:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s: then', (wanted, expected) => {
    expect(expiryOf(wanted, now)!.toISOString()).toBe(expected);
  });

  it.each(['2026-07-18T12:00:00.000Z', '2026-07-18T13:00:00+02:00', '9999-12-31T23:59:59-00:01'])(
    '%s: refused, and the field is named',
    (wanted) => {
      expect(() => expiryOf(wanted, now)).toThrow(
        expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(/^expires_at: /) }),
      );
    },
  );
});
