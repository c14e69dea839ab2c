import { setImmediate as turn } from 'node:timers/promises';
import { ImportLimiter, importsAtOnce, maxWaitMs } from './import-limiter.js';

const jest = import.meta.jest;

/** Of the places, as many as one team may have while no other wants any. */
const ofOneTeam = 6;

describe('the places for imports', () => {
  let limiter: ImportLimiter;
  let begun: string[];
  let ends: (() => void)[];

  beforeEach(() => {
    jest.useFakeTimers();
    limiter = new ImportLimiter();
    begun = [];
    ends = [];
  });

  afterEach(() => jest.useRealTimers());

  /** One that goes on until it is ended. */
  function begin(teamId: string): Promise<void> {
    return limiter.during(teamId, () => {
      begun.push(teamId);
      return new Promise((resolve) => ends.push(resolve));
    });
  }

  async function endFirst(): Promise<void> {
    ends.shift()!();
    await turn();
  }

  it('are given to those that wait in the order of their coming', async () => {
    const works = Array.from({ length: ofOneTeam + 3 }, () => begin('one'));
    expect(begun).toHaveLength(ofOneTeam);
    for (let more = 1; more <= 3; more += 1) {
      await endFirst();
      expect(begun).toHaveLength(ofOneTeam + more);
    }
    for (const end of ends) end();
    await Promise.all(works);
  });

  it('go to a team that came later where the one before has its share', async () => {
    for (let count = 0; count < 20; count += 1) void begin('one');
    for (let count = 0; count < 4; count += 1) void begin('two');
    await turn();
    expect(begun.filter((team) => team === 'one')).toHaveLength(ofOneTeam);
    expect(begun).toHaveLength(importsAtOnce);
    void begin('three');
    await endFirst();
    await endFirst();
    expect(begun.slice(importsAtOnce)).toEqual(['two', 'three']);
  });

  it('are waited for a minute, and refused then', async () => {
    for (let count = 0; count < ofOneTeam; count += 1) void begin('one');
    const late = expect(begin('one')).rejects.toMatchObject({
      code: 'rate_limited',
      options: { retryAfterSeconds: 5 },
    });
    jest.advanceTimersByTime(maxWaitMs);
    await late;
    for (const end of ends.splice(0)) end();
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toHaveLength(ofOneTeam);
  });

  it('have so many waiting for them and no more, of which a team leaves some to the others', async () => {
    while (hasRoom('one')) void begin('one').catch(() => undefined);
    await expect(begin('one')).rejects.toMatchObject({ code: 'rate_limited' });
    for (let count = 0; count < importsAtOnce; count += 1) void begin('two');
    expect(hasRoom('two')).toBe(false);
  });

  function hasRoom(teamId: string): boolean {
    try {
      limiter.assertFree(teamId);
      return true;
    } catch {
      return false;
    }
  }
});
