import { getBudget, putBudget } from '@aos/contracts';
import { Metrics } from '@aos/platform';
import { eventually, type TeamCaller } from '@aos/testing';
import { eventsOfRun, startBilling, type BillingUnderTest } from './billing-under-test.js';

describe('the budget of a team', () => {
  let under: BillingUnderTest;

  beforeAll(async () => {
    under = await startBilling({ USAGE_RECOUNT_EVERY_MS: '1000' });
  });

  afterAll(async () => under?.stop());

  /** What was recorded for a team, in order: the name of the event, and what is used or whether tokens are used up. */
  const told = async ({ teamId }: TeamCaller) => {
    const rows = await under.database.query<{ event: string; data: Record<string, unknown> }>(
      'SELECT event, data FROM billing.logged_event WHERE team_id = $1 ORDER BY id',
      [teamId],
    );
    return rows.map(({ event, data }) => [event, data['used'] ?? data['tokens_used_up_until'] !== null]);
  };
  /** Each run uses 30 tokens. */
  const use = async (team: TeamCaller, runs: number, used: object) => {
    await under.runs.record(Array.from({ length: runs }, () => eventsOfRun(team.teamId)).flat());
    await eventually(async () => expect((await team.succeed(getBudget)).used).toEqual(used));
  };

  it('is without limits until one is set', async () => {
    const team = under.team();
    await use(team, 2, { tokens: 60, runs: 2 });
    expect(await team.succeed(getBudget)).toMatchObject({
      max_tokens: null,
      max_runs: null,
      on_reached: 'notify',
      state: 'ok',
    });
    expect(await told(team)).toEqual([]);
  });

  it('tells of 80 and of 100 percent, once each', async () => {
    const team = under.team();
    const set = await team.succeed(putBudget, { body: { max_tokens: 300, on_reached: 'stop' } });
    expect(set).toMatchObject({ max_tokens: 300, max_runs: null, on_reached: 'stop', state: 'ok' });
    await use(team, 7, { tokens: 210, runs: 7 });
    expect(await told(team)).toEqual([['budget.set', false]]);
    await use(team, 1, { tokens: 240, runs: 8 });
    expect((await team.succeed(getBudget)).state).toBe('warning');
    await use(team, 1, { tokens: 270, runs: 9 });
    await use(team, 1, { tokens: 300, runs: 10 });
    expect((await team.succeed(getBudget)).state).toBe('reached');
    await use(team, 5, { tokens: 450, runs: 15 });
    const names = (await told(team)).map(([name]) => name);
    expect(names).toEqual(['budget.set', 'budget.warning', 'budget.reached', 'budget.set']);
    expect((await told(team)).at(-1)).toEqual(['budget.set', true]);
  });

  it('tells nothing again of a month that is over by the clock of another replica', async () => {
    const team = under.team();
    await team.succeed(putBudget, { body: { max_runs: 2 } });
    await use(team, 2, { tokens: 60, runs: 2 });
    const before = await told(team);
    expect(before.map(([name]) => name)).toEqual(['budget.set', 'budget.warning', 'budget.reached']);
    // As that one leaves it when it counts the first run of the next month.
    await under.database.query(
      `UPDATE billing.budget
          SET period = (date_trunc('month', period) + interval '1 month')::date, is_warned = false, is_reached = false
        WHERE team_id = $1`,
      [team.teamId],
    );
    await use(team, 1, { tokens: 90, runs: 3 });
    expect(await told(team)).toEqual(before);
  });

  it('tells of both at once if one step leads over both', async () => {
    const team = under.team();
    await team.succeed(putBudget, { body: { max_runs: 2 } });
    await use(team, 5, { tokens: 150, runs: 5 });
    const names = (await told(team)).map(([name]) => name);
    expect(names).toEqual(['budget.set', 'budget.warning', 'budget.reached']);
  });

  it('that is used already when it is set is told of at once; one that is raised lets work go on', async () => {
    const team = under.team();
    await use(team, 2, { tokens: 60, runs: 2 });
    const body = { max_tokens: 50, on_reached: 'stop' };
    expect((await team.succeed(putBudget, { body })).state).toBe('reached');
    expect(await told(team)).toEqual([
      ['budget.set', false],
      ['budget.warning', { tokens: 60, runs: 2 }],
      ['budget.reached', { tokens: 60, runs: 2 }],
      ['budget.set', true],
    ]);
    expect((await team.succeed(putBudget, { body: { max_tokens: 1_000 } })).state).toBe('ok');
    expect((await told(team)).at(-1)).toEqual(['budget.set', false]);
    // It was told in this period already.
    await use(team, 40, { tokens: 1_260, runs: 42 });
    const names = (await told(team)).map(([name]) => name);
    expect(names.filter((name) => name !== 'budget.set')).toEqual(['budget.warning', 'budget.reached']);
    expect((await told(team)).at(-1)).toEqual(['budget.set', true]);
  });

  it('begins anew with a month', async () => {
    const team = under.team();
    await team.succeed(putBudget, { body: { max_runs: 1 } });
    await use(team, 1, { tokens: 30, runs: 1 });
    // As if all that was last month.
    await under.database.query(
      `UPDATE billing.budget SET period = (period - interval '1 month')::date WHERE team_id = $1`,
      [team.teamId],
    );
    await use(team, 1, { tokens: 60, runs: 2 });
    const names = (await told(team)).map(([name]) => name);
    expect(names.filter((name) => name === 'budget.reached')).toHaveLength(2);
  });

  it('goes by sums that are counted again by themselves, and mended', async () => {
    const team = under.team();
    await use(team, 2, { tokens: 60, runs: 2 });
    await under.database.query('UPDATE billing.daily_usage SET runs_started = 9 WHERE team_id = $1', [
      team.teamId,
    ]);
    await eventually(async () =>
      expect((await team.succeed(getBudget)).used).toEqual({ tokens: 60, runs: 2 }),
    );
    expect(await under.running.app.get(Metrics, { strict: false }).text()).toMatch(
      /^aos_usage_sums_mended_total(\{[^}]*\})? [1-9]/m,
    );
  });

  it('is replaced as a whole, and once for a key', async () => {
    const team = under.team();
    await team.succeed(putBudget, { body: { max_tokens: 10, max_runs: 3, on_reached: 'stop' } });
    const first = await team.call(putBudget, { body: { max_runs: 4 }, key: 'once' });
    expect(first.body).toMatchObject({ max_tokens: null, max_runs: 4, on_reached: 'notify' });
    const again = await team.call(putBudget, { body: { max_runs: 4 }, key: 'once' });
    expect([again.text, again.replayed]).toEqual([first.text, true]);
    expect(await told(team)).toHaveLength(2);
  });

  it.each([
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ max_tokens: 1.5 }, 'max_tokens'],
    [{ max_runs: -1 }, 'max_runs'],
    [{ max_runs: '7' }, 'max_runs'],
    [{ on_reached: 'explode' }, 'on_reached'],
  ])('is not %j', async (body, field) => {
    const answer = await under.team().call(putBudget, { body });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    expect(answer.body.message).toContain(field);
  });
});
