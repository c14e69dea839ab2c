import { setImmediate as nextTurn } from 'node:timers/promises';
import { ImportLimiter, maxConcurrent, maxWaitMs } from './import-limiter.js';

const jest = import.meta.jest;

/** The imports of a team that is alone. */
const maxOfOneTeam = 6;

describe('ImportLimiter', () => {
  let limiter: ImportLimiter;
  let started: string[];
  let ends: (() => void)[];

  beforeEach(() => {
    jest.useFakeTimers();
    limiter = new ImportLimiter();
    started = [];
    ends = [];
  });

  afterEach(() => jest.useRealTimers());

  /** An import that goes on until the test ends it. */
  function start(teamId: string): Promise<void> {
    return limiter.run(teamId, () => {
      started.push(teamId);
      return new Promise((resolve) => ends.push(resolve));
    });
  }

  async function endFirst(): Promise<void> {
    ends.shift()!();
    await nextTurn();
  }

  it('starts waiting imports as others end', async () => {
    const imports = Array.from({ length: maxOfOneTeam + 3 }, () => start('one'));
    expect(started).toHaveLength(maxOfOneTeam);
    for (let more = 1; more <= 3; more += 1) {
      await endFirst();
      expect(started).toHaveLength(maxOfOneTeam + more);
    }
    for (const end of ends) end();
    await Promise.all(imports);
  });

  it('starts that of the team with the fewest first, also if it came last', async () => {
    for (let count = 0; count < 20; count += 1) void start('one');
    for (let count = 0; count < 4; count += 1) void start('two');
    await nextTurn();
    expect(started.filter((team) => team === 'one')).toHaveLength(maxOfOneTeam);
    expect(started).toHaveLength(maxConcurrent);
    void start('three');
    await endFirst();
    await endFirst();
    expect(started.slice(maxConcurrent)).toEqual(['three', 'two']);
  });

  it('refuses an import that has waited for a minute', async () => {
    for (let count = 0; count < maxOfOneTeam; count += 1) void start('one');
    const refused = expect(start('one')).rejects.toMatchObject({
      code: 'rate_limited',
      options: { retryAfterSeconds: 5 },
    });
    jest.advanceTimersByTime(maxWaitMs);
    await refused;
    for (const end of ends.splice(0)) end();
    await jest.advanceTimersByTimeAsync(0);
    expect(started).toHaveLength(maxOfOneTeam);
  });

  it('has a limit of waiting imports, of which a team leaves some to the others', async () => {
    while (hasCapacity('one')) void start('one').catch(() => undefined);
    await expect(start('one')).rejects.toMatchObject({ code: 'rate_limited' });
    for (let count = 0; count < maxConcurrent; count += 1) void start('two');
    expect(hasCapacity('two')).toBe(false);
  });

  function hasCapacity(teamId: string): boolean {
    try {
      limiter.assertCapacity(teamId);
      return true;
    } catch {
      return false;
    }
  }
});
