import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { FairLimiter } from './fair-limiter.js';

const { signal: never } = new AbortController();

function acquireAll(limiter: FairLimiter, key: string): number {
  let acquired = 0;
  while (limiter.tryAcquire(key)) acquired += 1;
  return acquired;
}

/** Acquires for the keys, and lists them as they start: by key and number, in the order of the calls. */
function acquireEach(limiter: FairLimiter, ...keys: string[]): string[] {
  const started: string[] = [];
  keys.forEach((key, number) => {
    void limiter.acquire(key, never).then(() => started.push(`${key}${number}`));
  });
  return started;
}

describe('FairLimiter', () => {
  it('gives a key alone three quarters, and the next key three quarters of the rest', () => {
    const limiter = new FairLimiter({ maxConcurrent: 128 });
    expect(['a', 'b', 'c'].map((key) => acquireAll(limiter, key))).toEqual([96, 24, 6]);
  });

  it('gives out all of its capacity, and no more', () => {
    const limiter = new FairLimiter({ maxConcurrent: 4 });
    expect(['a', 'b', 'c'].map((key) => acquireAll(limiter, key))).toEqual([3, 1, 0]);
  });

  it('with a share factor of one gives a key alone half, and keeps some for a new key', () => {
    const limiter = new FairLimiter({ maxConcurrent: 100, shareFactor: 1 });
    expect(acquireAll(limiter, 'flood')).toBe(50);
    for (let count = 0; count < 10; count += 1) expect(limiter.tryAcquire('calm')).toBe(true);
    expect(acquireAll(limiter, 'third')).toBe(20);
    expect(limiter.tryAcquire('fourth')).toBe(true);
  });

  it('gives each key as much as any other', () => {
    const limiter = new FairLimiter({ maxPerKey: 2 });
    expect([acquireAll(limiter, 'flood'), acquireAll(limiter, 'calm')]).toEqual([2, 2]);
  });

  it('names the keys at their limit while others can acquire', () => {
    const limiter = new FairLimiter({ maxConcurrent: 3, maxPerKey: 2, shareFactor: Infinity });
    expect(acquireAll(limiter, 'slow')).toBe(2);
    expect(limiter.keysAtLimit()).toEqual(['slow']);
    limiter.release('slow');
    expect(limiter.keysAtLimit()).toEqual([]);
    expect([limiter.tryAcquire('slow'), limiter.tryAcquire('quick'), limiter.tryAcquire('late')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('gives released capacity out again, and accepts no release of what a key does not hold', () => {
    const limiter = new FairLimiter({ maxConcurrent: 4 });
    acquireAll(limiter, 'a');
    limiter.release('a');
    expect(limiter.tryAcquire('a')).toBe(true);
    expect(() => limiter.release('b')).toThrow('does not hold');
    expect([limiter.heldBy('a'), limiter.free]).toEqual([3, 1]);
  });

  it('starts what waits in its order', async () => {
    const limiter = new FairLimiter({ maxConcurrent: 2, shareFactor: Infinity });
    const started = acquireEach(limiter, 'a', 'a', 'a', 'a');
    await nextTurn();
    expect(started).toEqual(['a0', 'a1']);
    expect(limiter.waitingOf('a')).toBe(2);
    limiter.release('a');
    await nextTurn();
    limiter.release('a');
    await nextTurn();
    expect(started).toEqual(['a0', 'a1', 'a2', 'a3']);
    expect(limiter.waitingOf('a')).toBe(0);
  });

  it('gives freed capacity to the key that holds the least, however much others waited before', async () => {
    const limiter = new FairLimiter({ maxConcurrent: 2, shareFactor: Infinity });
    const started = acquireEach(limiter, 'a', 'a', 'a', 'a', 'a', 'b', 'c', 'b');
    for (const key of ['a', 'a', 'b', 'a', 'c', 'b']) {
      await nextTurn();
      limiter.release(key);
    }
    await nextTurn();
    expect(started).toEqual(['a0', 'a1', 'b5', 'a2', 'c6', 'b7', 'a3', 'a4']);
  });

  it('leaves freed capacity unused where all that wait have their share', () => {
    const limiter = new FairLimiter({ maxConcurrent: 6, shareFactor: 1 });
    expect(['a', 'b', 'c'].map((key) => acquireAll(limiter, key))).toEqual([3, 2, 1]);
    const started: string[] = [];
    for (const key of ['a', 'b', 'd']) limiter.enqueue(key, () => started.push(key));
    limiter.release('a');
    expect(started).toEqual(['d']);
    limiter.release('d');
    limiter.release('c');
    expect([started, limiter.free]).toEqual([['d'], 2]);
    limiter.release('b');
    expect([started, limiter.free]).toEqual([['d', 'b'], 2]);
  });

  it('drops a wait whose signal aborts', async () => {
    const limiter = new FairLimiter({ maxConcurrent: 1, shareFactor: Infinity });
    const controller = new AbortController();
    await limiter.acquire('a', never);
    const aborted = limiter.acquire('b', controller.signal);
    const waits = limiter.acquire('a', never);
    controller.abort('reason');
    await expect(aborted).rejects.toBe('reason');
    await expect(limiter.acquire('a', controller.signal)).rejects.toBe('reason');
    limiter.release('a');
    await waits;
    limiter.release('a');
    await limiter.acquire('a', never);
  });

  it('never exceeds its limit, starts each wait once, and has capacity for a new key while any is free', () => {
    const keys = ['a', 'b', 'c', 'd'];
    const step = fc.record({
      key: fc.constantFrom(...keys),
      move: fc.constantFrom('acquire', 'wait', 'release'),
    });
    const options = fc.record({
      maxConcurrent: fc.integer({ min: 1, max: 40 }),
      shareFactor: fc.constantFrom(1, 3, Infinity),
    });
    fc.assert(
      fc.property(options, fc.array(step, { maxLength: 300 }), ({ maxConcurrent, shareFactor }, steps) => {
        const limiter = new FairLimiter({ maxConcurrent, shareFactor });
        const held = new Map(keys.map((key) => [key, 0]));
        const change = (key: string, by: number) => held.set(key, held.get(key)! + by);
        const started = new Set<number>();
        let waits = 0;
        const release = (key: string) => {
          change(key, -1);
          limiter.release(key);
        };
        for (const { key, move } of steps) {
          const before = held.get(key)!;
          const { free } = limiter;
          const isAtLimit = limiter.keysAtLimit().includes(key);
          if (move === 'release') {
            if (before > 0) release(key);
          } else if (limiter.tryAcquire(key)) {
            expect([isAtLimit, free > 0, limiter.waitingOf(key)]).toEqual([false, true, 0]);
            change(key, 1);
          } else {
            expect(before > 0 ? isAtLimit : free === 0).toBe(true);
            if (move === 'wait') {
              const wait = (waits += 1);
              limiter.enqueue(key, () => {
                expect(started.has(wait)).toBe(false);
                started.add(wait);
                change(key, 1);
              });
            }
          }
          const sum = keys.reduce((total, one) => total + held.get(one)!, 0);
          expect(limiter.free).toBe(maxConcurrent - sum);
          expect(limiter.free).toBeGreaterThanOrEqual(0);
        }
        while (limiter.free < maxConcurrent) release(keys.find((key) => held.get(key)! > 0)!);
        expect(started.size).toBe(waits);
      }),
    );
  });
});
