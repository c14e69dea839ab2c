import fc from 'fast-check';
import { webhookDispatcherConfigSchema } from '../config/webhook-dispatcher.config.js';
import { retryWaitMs, parseRetryAfter } from './retry-schedule.js';

const hourMs = 3_600_000;

const schedules = fc.array(fc.integer({ min: 0, max: 7 * 24 * hourMs }), { minLength: 1, maxLength: 50 });
/** A schedule and an attempt after which there is another. */
const notTheLast = schedules
  .filter(({ length }) => length > 1)
  .chain((schedule) => fc.tuple(fc.constant(schedule), fc.integer({ min: 1, max: schedule.length - 1 })));
/** What `Math.random` may give. */
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const retryAfters = fc.option(fc.integer({ min: 0, max: 10 * 365 * 24 * hourMs }), { nil: undefined });

describe('retryWaitMs', () => {
  it('is within a tenth of what the schedule says', () => {
    fc.assert(
      fc.property(notTheLast, randoms, ([schedule, number], random) => {
        const wait = retryWaitMs(schedule, { number }, () => random)!;
        expect(wait).toBeGreaterThanOrEqual(Math.floor(schedule[number]! * 0.9));
        expect(wait).toBeLessThanOrEqual(Math.ceil(schedule[number]! * 1.1));
      }),
    );
  });

  it('uses the whole of that tenth, on both sides', () => {
    const schedule = [0, 1_000];
    const waits = [0, 0.5, 0.999_999].map((random) => retryWaitMs(schedule, { number: 1 }, () => random));
    expect(waits).toEqual([900, 1_000, 1_100]);
  });

  it('is never before what the receiver asked for, which counts up to an hour', () => {
    fc.assert(
      fc.property(notTheLast, randoms, retryAfters, ([schedule, number], random, retryAfterMs) => {
        const plain = retryWaitMs(schedule, { number }, () => random)!;
        const wait = retryWaitMs(schedule, { number, retryAfterMs }, () => random)!;
        expect(wait).toBe(Math.max(plain, Math.min(retryAfterMs ?? 0, hourMs)));
      }),
    );
  });

  it('is nothing exactly after the last attempt, whatever the receiver asks for', () => {
    fc.assert(
      fc.property(schedules, fc.nat(100), retryAfters, (schedule, more, retryAfterMs) => {
        for (let number = 1; number < schedule.length; number += 1) {
          expect(retryWaitMs(schedule, { number, retryAfterMs })).toEqual(expect.any(Number));
        }
        expect(retryWaitMs(schedule, { number: schedule.length + more, retryAfterMs })).toBeUndefined();
      }),
    );
  });

  it('makes eleven attempts in about seventy hours by default', () => {
    const schedule = webhookDispatcherConfigSchema.shape.WEBHOOK_RETRY_SCHEDULE_MS.parse(undefined);
    const waits: number[] = [];
    for (;;) {
      const wait = retryWaitMs(schedule, { number: waits.length + 1 }, () => 0.5);
      if (wait === undefined) break;
      waits.push(wait);
    }
    expect(schedule[0]).toBe(0);
    expect(waits).toHaveLength(10);
    expect(waits.reduce((sum, wait) => sum + wait) / hourMs).toBeCloseTo(70.2, 1);
  });
});

describe('parseRetryAfter', () => {
  const now = new Date('2026-01-01T00:00:00.000Z');

  it.each([
    ['seconds', '120', 120_000],
    ['seconds with blanks around them', '  5 ', 5_000],
    ['no wait', '0', 0],
    ['many seconds', '999999999', 999_999_999_000],
    ['a date', 'Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
    ['a date in the old way', 'Thursday, 01-Jan-26 00:02:00 GMT', 120_000],
    ['a date in the way of C', 'Thu Jan  1 00:02:00 2026', 120_000],
    ['a date that is over', 'Wed, 31 Dec 2025 23:59:00 GMT', 0],
  ])('reads %s', (_, text, expected) => {
    expect(parseRetryAfter(text, now)).toBe(expected);
  });

  it.each([
    ['nothing', null],
    ['an empty text', ''],
    ['words', 'soon'],
    ['a negative number', '-1'],
    ['a fraction', '1.5'],
    ['a unit', '10s'],
    ['a number beyond reason', '9'.repeat(400)],
    ['hexadecimal digits', '0x10'],
    ['a date that HTTP does not know', '2026-01-01T00:02:00Z'],
    ['a day without a date', 'Monday'],
    ['a date that is none', 'Thu, 99 Foo 2026 99:99:99 GMT'],
  ])('makes nothing of %s', (_, text) => {
    expect(parseRetryAfter(text, now)).toBeUndefined();
  });

  it('never throws, and never asks for a time that is over', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.date().map(String)), (text) => {
        const wait = parseRetryAfter(text, now);
        if (wait !== undefined) expect(wait).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
