import { createLogger, noteActivity } from '@aos/platform';
import { WakeableLoop, type WakeableLoopOptions } from './wakeable-loop.js';

const never = 2 ** 30;

/** A loop that tells each run of its work, and does in it what the test wants. */
function watchedLoop(
  work: (run: number) => Promise<boolean> | boolean,
  { idleMs = never, gatherMs }: { idleMs?: number; gatherMs?: number } = {},
) {
  const watchers: (() => void)[] = [];
  let runs = 0;
  const loop = new WakeableLoop({
    name: 'the loop',
    idleMs,
    gatherMs,
    logger: createLogger({ service: 'test', level: 'silent' }),
    work: async () => {
      runs += 1;
      for (const watcher of watchers.splice(0)) watcher();
      return work(runs);
    },
  });
  const reached = async (wanted: number) => {
    while (runs < wanted) await new Promise<void>((resolve) => watchers.push(resolve));
  };
  return { loop, reached, runs: () => runs };
}

/** Lets everything happen that waits for nothing else. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('WakeableLoop', () => {
  it('does nothing before it is started', async () => {
    const { loop, runs } = watchedLoop(() => false);
    loop.wake();
    await settled();
    expect(runs()).toBe(0);
    await loop.stop();
  });

  it('goes on while there may be more, then rests', async () => {
    const { loop, runs } = watchedLoop((run) => run < 3);
    loop.start();
    await settled();
    expect(runs()).toBe(3);
    await settled();
    expect(runs()).toBe(3);
    await loop.stop();
  });

  it('runs when woken', async () => {
    const { loop, runs } = watchedLoop(() => false);
    loop.start();
    await settled();
    loop.wake();
    await settled();
    expect(runs()).toBe(2);
    await loop.stop();
  });

  it('runs again when woken during its work', async () => {
    const woken = watchedLoop((run) => {
      if (run === 1) woken.loop.wake();
      return false;
    });
    woken.loop.start();
    await settled();
    expect(woken.runs()).toBe(2);
    await woken.loop.stop();
  });

  it('runs once in a while when nothing wakes it', async () => {
    const { loop, reached } = watchedLoop(() => false, { idleMs: 1 });
    loop.start();
    await reached(3);
    await loop.stop();
  });

  it('goes on after its work has failed', async () => {
    const { loop, reached } = watchedLoop((run) => {
      if (run < 3) throw new Error('not now');
      return false;
    });
    loop.start();
    await reached(3);
    await loop.stop();
  });

  it('stops at once while it rests, and runs no more', async () => {
    const { loop, runs } = watchedLoop(() => false);
    loop.start();
    await settled();
    await loop.stop();
    loop.wake();
    await settled();
    expect(runs()).toBe(1);
  });

  it('stops after the work under way', async () => {
    let finish: (() => void) | undefined;
    const done: string[] = [];
    const { loop } = watchedLoop(async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      done.push('work');
      return true;
    });
    loop.start();
    const stopped = loop.stop().then(() => done.push('stopped'));
    finish!();
    await stopped;
    expect(done).toEqual(['work', 'stopped']);
  });

  it('does not wait for ever for work that may be left', async () => {
    const loop = new WakeableLoop({
      name: 'the loop',
      idleMs: never,
      logger: createLogger({ service: 'test', level: 'silent' }),
      mayBeLeft: true,
      work: () => new Promise<boolean>(() => undefined),
    });
    loop.start();
    await expect(loop.stop()).resolves.toBeUndefined();
  });

  it('does together what comes within a while, and holds back nothing that comes alone', async () => {
    const { loop, reached, runs } = watchedLoop(() => false, { gatherMs: 50 });
    loop.start();
    await reached(1);
    for (let wakes = 0; wakes < 5; wakes += 1) {
      loop.wake();
      await settled();
    }
    expect(runs()).toBe(1);
    await reached(2);
    await loop.stop();
    expect(runs()).toBe(2);
  });

  describe('in a process to which nothing comes', () => {
    const jest = import.meta.jest;
    const loopOf = (options: Pick<WakeableLoopOptions, 'idleMs' | 'quietMs' | 'isTimed' | 'mayHaveWork'>) => {
      let runs = 0;
      const loop = new WakeableLoop({
        name: 'the loop',
        logger: createLogger({ service: 'test', level: 'silent' }),
        work: async () => {
          runs += 1;
          return false;
        },
        ...options,
      });
      loop.start();
      return { loop, runs: () => runs };
    };

    beforeEach(() => {
      jest.useFakeTimers();
      noteActivity();
    });

    afterEach(() => {
      jest.useRealTimers();
    });

    it('looks less often, and as often as before when something comes', async () => {
      const { loop, runs } = loopOf({ idleMs: 1_000 });
      await jest.advanceTimersByTimeAsync(30_000);
      const busy = runs();
      expect(busy).toBeGreaterThanOrEqual(30);
      await jest.advanceTimersByTimeAsync(40_000);
      const quiet = runs() - busy;
      expect(quiet).toBeLessThanOrEqual(6);
      expect(quiet).toBeGreaterThanOrEqual(3);
      noteActivity();
      await jest.advanceTimersByTimeAsync(999);
      expect(runs() - busy - quiet).toBe(0);
      await jest.advanceTimersByTimeAsync(9_001);
      expect(runs() - busy - quiet).toBe(10);
      await Promise.all([loop.stop(), jest.advanceTimersByTimeAsync(5_000)]);
    });

    it('is woken at once all the same', async () => {
      const { loop, runs } = loopOf({ idleMs: 1_000 });
      await jest.advanceTimersByTimeAsync(60_000);
      const before = runs();
      loop.wake();
      await jest.advanceTimersByTimeAsync(0);
      expect(runs()).toBe(before + 1);
      await Promise.all([loop.stop(), jest.advanceTimersByTimeAsync(5_000)]);
    });

    it('looks when the others of its process do', async () => {
      const looks: number[][] = [[], []];
      const loops = looks.map(
        (times) =>
          new WakeableLoop({
            name: 'the loop',
            logger: createLogger({ service: 'test', level: 'silent' }),
            idleMs: 1_000,
            work: async () => {
              times.push(performance.now());
              return false;
            },
          }),
      );
      loops[0]!.start();
      await jest.advanceTimersByTimeAsync(700);
      loops[1]!.start();
      await jest.advanceTimersByTimeAsync(100_000);
      const [one, other] = looks.map((times) => times.slice(-6).map(Math.round));
      expect(one).toEqual(other);
      await Promise.all([...loops.map((loop) => loop.stop()), jest.advanceTimersByTimeAsync(5_000)]);
    });

    it('asks before it looks, and looks only where there may be work', async () => {
      let isThere = false;
      let asked = 0;
      const { loop, runs } = loopOf({
        idleMs: 1_000,
        mayHaveWork: async () => {
          asked += 1;
          return isThere;
        },
      });
      await jest.advanceTimersByTimeAsync(100_000);
      const before = runs();
      const askedBefore = asked;
      await jest.advanceTimersByTimeAsync(50_000);
      expect([asked - askedBefore, runs() - before]).toEqual([5, 0]);
      isThere = true;
      await jest.advanceTimersByTimeAsync(20_000);
      expect(runs() - before).toBe(2);
      await Promise.all([loop.stop(), jest.advanceTimersByTimeAsync(10_000)]);
    });

    it('does not ask when it is woken', async () => {
      const mayHaveWork = jest.fn(async () => false);
      const { loop, runs } = loopOf({ idleMs: 1_000, mayHaveWork });
      await jest.advanceTimersByTimeAsync(100_000);
      const [before, asked] = [runs(), mayHaveWork.mock.calls.length];
      loop.wake();
      await jest.advanceTimersByTimeAsync(10);
      expect([runs() - before, mayHaveWork.mock.calls.length - asked]).toEqual([1, 0]);
      await Promise.all([loop.stop(), jest.advanceTimersByTimeAsync(10_000)]);
    });

    it('looks where it could not ask, and says so', async () => {
      const mayHaveWork = jest.fn(async (): Promise<boolean> => {
        throw new Error('Postgres is away');
      });
      const { loop, runs } = loopOf({ idleMs: 1_000, mayHaveWork });
      await jest.advanceTimersByTimeAsync(100_000);
      expect(mayHaveWork.mock.calls.length).toBeGreaterThan(0);
      expect(runs()).toBeGreaterThan(mayHaveWork.mock.calls.length);
      await Promise.all([loop.stop(), jest.advanceTimersByTimeAsync(10_000)]);
    });

    it.each([
      [{ idleMs: 10_000 }, 10_000],
      [{ idleMs: 30_000 }, 30_000],
      [{ idleMs: 500 }, 5_000],
      [{ idleMs: 2_000 }, 10_000],
      [{ idleMs: 2_000, isTimed: true }, 4_000],
      [{ idleMs: 5_000, quietMs: 10_000 }, 10_000],
    ])('rests %j for %d ms', async (options, restMs) => {
      const { loop, runs } = loopOf(options);
      await jest.advanceTimersByTimeAsync(100_000);
      const before = runs();
      await jest.advanceTimersByTimeAsync(10 * restMs);
      expect(runs() - before).toBe(10);
      await Promise.all([loop.stop(), jest.advanceTimersByTimeAsync(restMs)]);
    });
  });
});
