import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getBillingUsage } from '@aos/contracts';
import { eventually } from '@aos/testing';
import { eventsOfRun, startBilling, type BillingUnderTest } from './billing-under-test.js';

const command = fileURLToPath(new URL('../../../tools/recount.mjs', import.meta.url));
const dayMs = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

describe('the recount that an operator asks for', () => {
  let under: BillingUnderTest;

  beforeAll(async () => {
    under = await startBilling();
  });

  afterAll(async () => under?.stop());

  const recount = async (...days: string[]) => {
    const ran = await promisify(execFile)(process.execPath, [command, ...days], {
      env: { PATH: process.env['PATH'], AOS_DATA_DIR: '/nowhere', ...under.environment },
    }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
    return [ran.code, 'stderr' in ran ? ran.stderr : ran.stdout];
  };

  it('mends the days that are named, beside the services', async () => {
    const team = under.team();
    expect(await recount(dayBefore(0))).toEqual([1, 'There are no records to count from.\n']);
    await under.runs.record(eventsOfRun(team.teamId));
    const started = async (runs: number) =>
      expect((await team.succeed(getBillingUsage)).runs.started).toBe(runs);
    await eventually(() => started(1));
    await under.database.query(`UPDATE billing.daily_usage SET runs_started = 9 WHERE runs_started > 0`);
    await started(9);
    expect(await recount(dayBefore(0), dayBefore(0))).toEqual([0, 'Wrong sums, now mended: 1.\n']);
    await started(1);
    expect(await recount(dayBefore(0))).toEqual([0, 'Every sum is as its records say.\n']);
  });

  it('leaves days alone of which records have gone', async () => {
    await under.database.query(
      `INSERT INTO billing.daily_usage SELECT (jsonb_populate_record(sums, $1::jsonb)).* FROM billing.daily_usage AS sums LIMIT 1`,
      [JSON.stringify({ day: dayBefore(40) })],
    );
    const [code, said] = await recount(dayBefore(40), dayBefore(0));
    expect([code, said]).toEqual([
      1,
      expect.stringContaining(`Records are complete from ${dayBefore(0)} on`),
    ]);
    const kept = await under.database.query(`SELECT 1 FROM billing.daily_usage WHERE day = $1`, [
      dayBefore(40),
    ]);
    expect(kept).toHaveLength(1);
  });

  it('says how it is called', async () => {
    expect(await recount('2026-02-30')).toEqual([64, expect.stringContaining('Name a day')]);
  });
});
