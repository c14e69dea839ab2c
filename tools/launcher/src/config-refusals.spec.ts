import { ConfigRefusals } from './config-refusals.js';
import { StartError } from './start-error.js';

const problemsOf = (refused: readonly string[]) => refused.map((name) => `${name} is wrong`);

describe('ConfigRefusals', () => {
  it('waits for all that start, and tells all problems at once', async () => {
    const refusals = new ConfigRefusals({ problemsOf });
    let isDecided = false;
    refusals.verdict.catch(() => (isDecided = true));
    refusals.expect(['gateway', 'runs', 'billing']);
    refusals.markRefused('runs');
    refusals.markReady('gateway');
    await Promise.resolve();
    expect(isDecided).toBe(false);
    refusals.markRefused('billing');
    await expect(refusals.verdict).rejects.toEqual(new StartError(['runs is wrong', 'billing is wrong']));
  });

  it('does not wait for ever for one that neither starts nor refuses', async () => {
    const refusals = new ConfigRefusals({ problemsOf, patienceMs: 1 });
    refusals.expect(['gateway', 'runs']);
    refusals.markRefused('runs');
    await expect(refusals.verdict).rejects.toEqual(new StartError(['runs is wrong']));
  });

  it('ends at once for one that refuses when all have long been ready', async () => {
    const refusals = new ConfigRefusals({ problemsOf });
    refusals.expect(['runs']);
    refusals.markReady('runs');
    refusals.markRefused('runs');
    await expect(refusals.verdict).rejects.toEqual(new StartError(['runs is wrong']));
  });
});
