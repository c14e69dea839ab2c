import {
  artifactUsed,
  builderUsed,
  estimateCost,
  getAgentUsage,
  getBillingUsage,
  humanRequestCreated,
  judgeUsed,
  runFailed,
  storageMeasured,
} from '@aos/contracts';
import { newEvent } from '@aos/events';
import { newId, Transactions } from '@aos/persistence';
import { eventually, recordSilently, startEventLog } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { billingConfigSchema } from '../src/config/billing.config.js';
import { RecordRetention } from '../src/record-keeping/record-retention.js';
import { Recount } from '../src/record-keeping/recount.js';
import { UsageRecordsRepository } from '../src/usage-records/usage-records.repository.js';
import { eventOf, eventsOfRun, startBilling, type BillingUnderTest } from './billing-under-test.js';

const prices = { 'openai/*': { input: '2', output: '8' }, 'builtin/*': { input: 0, output: 0 } };

describe('the usage of a team', () => {
  let under: BillingUnderTest;

  beforeAll(async () => {
    under = await startBilling({ MODEL_PRICES: JSON.stringify(prices), MODEL_PRICES_CURRENCY: 'EUR' });
  });

  afterAll(async () => under?.stop());

  /** As soon as so many runs have ended. */
  const usageOf = (team: ReturnType<BillingUnderTest['team']>, ended: number) =>
    eventually(async () => {
      const usage = await team.succeed(getBillingUsage);
      const { completed, failed, stopped } = usage.runs;
      expect(completed + failed + stopped).toBe(ended);
      return usage;
    });

  it('is nothing before anything was used', async () => {
    const usage = await under.team().succeed(getBillingUsage);
    expect(usage).toMatchObject({ plan: 'self_hosted', runs: { started: 0 }, daily: [], storage_bytes: 0 });
    expect(usage.estimated_cost).toEqual({ amount: '0', currency: 'EUR' });
    const now = Date.now();
    expect(Date.parse(usage.period.start)).toBeLessThanOrEqual(now);
    expect(Date.parse(usage.period.end)).toBeGreaterThan(now);
  });

  it('is what its events say, and no other team is counted with it', async () => {
    const team = under.team();
    const other = under.team();
    await under.runs.record([
      ...eventsOfRun(team.teamId, { tokens: 100, model: 'openai/gpt-5' }),
      ...eventsOfRun(team.teamId, { status: 'stopped' }),
      ...eventsOfRun(other.teamId),
      eventOf(runFailed, team.teamId),
      eventOf(humanRequestCreated, team.teamId),
    ]);
    const usage = await usageOf(team, 3);
    expect(usage).toMatchObject({
      runs: { started: 2, completed: 1, failed: 1, stopped: 1 },
      active_seconds: 0.5,
      messages: 2,
      model: { input_tokens: 110, output_tokens: 220 },
      // 100 × 2 and 200 × 8, of a million.
      estimated_cost: { amount: '0.0018', currency: 'EUR' },
      human_requests: 1,
    });
    expect(usage.daily).toEqual([
      {
        date: new Date().toISOString().slice(0, 10),
        runs: 2,
        active_seconds: 0.5,
        input_tokens: 110,
        output_tokens: 220,
      },
    ]);
    expect((await usageOf(other, 1)).runs.started).toBe(1);
  });

  it('has no cost where a model has no price', async () => {
    const team = under.team();
    await under.runs.record(eventsOfRun(team.teamId, { model: 'anthropic/claude' }));
    expect((await usageOf(team, 1)).estimated_cost).toBeNull();
  });

  it('tells what tokens of a model cost, also of none at all', async () => {
    const team = under.team();
    const estimate = async (query: Record<string, string>) => team.succeed(estimateCost, { query });
    const tokens = { input_tokens: '1200', output_tokens: '300' };
    expect(await estimate({ model: 'openai/gpt-5', ...tokens })).toEqual({
      model: 'openai/gpt-5',
      input_tokens: 1200,
      output_tokens: 300,
      estimated_cost: { amount: '0.0048', currency: 'EUR' },
    });
    expect(await estimate({ model: 'openai/gpt-5' })).toMatchObject({
      estimated_cost: { amount: '0', currency: 'EUR' },
    });
    expect(await estimate(tokens)).toMatchObject({
      model: 'builtin/scripted',
      estimated_cost: { amount: '0' },
    });
    expect(await estimate({ model: 'anthropic/claude', ...tokens })).toMatchObject({ estimated_cost: null });
    const wrong: Record<string, string>[] = [
      { model: '' },
      { model: 'm', input_tokens: '-1' },
      { model: 'm', output_tokens: 'x' },
    ];
    for (const query of wrong) {
      expect((await team.call(estimateCost, { query })).status).toBe(400);
    }
  });

  it('is shown by agent, the one with the most tokens first, page by page', async () => {
    const team = under.team();
    const [small, large] = [uuidv7(), uuidv7()];
    await under.runs.record([
      ...eventsOfRun(team.teamId, { agentId: small, tokens: 1 }),
      ...eventsOfRun(team.teamId, { agentId: large, tokens: 50, model: 'openai/gpt-5' }),
      ...eventsOfRun(team.teamId, { agentId: large, tokens: 7 }),
    ]);
    await usageOf(team, 3);
    const all = await team.succeed(getAgentUsage);
    expect(all).toMatchObject({ total: 2, limit: 100, offset: 0 });
    expect(all.agents).toEqual([
      {
        agent_id: large,
        name: `Agent ${large}`,
        runs: 2,
        input_tokens: 57,
        output_tokens: 114,
        estimated_cost: { amount: '0.0009', currency: 'EUR' },
      },
      expect.objectContaining({ agent_id: small, runs: 1, input_tokens: 1 }),
    ]);
    const second = await team.succeed(getAgentUsage, { query: { limit: '1', offset: '1' } });
    expect(second.agents.map(({ agent_id: id }) => id)).toEqual([small]);
    expect((await under.team().succeed(getAgentUsage)).agents).toEqual([]);
  });

  it('has the tokens of builders and judges, by their agents too, each answer once', async () => {
    const team = under.team();
    const agents = await startEventLog('agents-and-revisions', under.environment);
    const usage = {
      agent_id: uuidv7(),
      agent_name: 'Built',
      model: 'openai/gpt-5',
      input_tokens: 4,
      output_tokens: 1,
    };
    const { teamId } = team;
    const built = newEvent({ event: builderUsed, teamId, data: { builder_run_id: uuidv7() }, usage });
    const judged = newEvent({ event: judgeUsed, teamId, data: { run_id: uuidv7() }, usage });
    await agents.record([built, built]);
    await under.runs.record([...eventsOfRun(teamId, { agentId: usage.agent_id, tokens: 10 }), judged]);
    await eventually(async () => {
      const { model, runs } = await team.succeed(getBillingUsage);
      expect([model, runs.started]).toEqual([{ input_tokens: 22, output_tokens: 23 }, 1]);
    });
    const [agent] = (await team.succeed(getAgentUsage)).agents;
    expect(agent).toMatchObject({ runs: 1, input_tokens: 22, output_tokens: 23 });
    await agents.stop();
  });

  it('has the tokens of pages with their cost, and no agent for them', async () => {
    const team = under.team();
    const { teamId } = team;
    const page = (input_tokens: number, model = 'openai/gpt-5') =>
      newEvent({
        event: artifactUsed,
        teamId,
        data: { artifact_id: uuidv7() },
        usage: { model, input_tokens, output_tokens: 2 * input_tokens },
      });
    await under.runs.record([page(100), page(20), page(7, 'builtin/scripted')]);
    await eventually(async () => {
      const usage = await team.succeed(getBillingUsage);
      expect(usage).toMatchObject({
        model: { input_tokens: 127, output_tokens: 254 },
        // 120 × 2 and 240 × 8, of a million.
        estimated_cost: { amount: '0.00216', currency: 'EUR' },
        runs: { started: 0 },
        daily: [{ input_tokens: 127, output_tokens: 254, runs: 0 }],
      });
    });
    expect((await team.succeed(getAgentUsage)).agents).toEqual([]);
  });

  it('has the latest measurement of what is stored', async () => {
    const team = under.team();
    for (const bytes of [500, 2_000, 40]) {
      await under.runs.record([newEvent({ event: storageMeasured, teamId: team.teamId, data: { bytes } })]);
    }
    await eventually(async () => expect((await team.succeed(getBillingUsage)).storage_bytes).toBe(40));
  });

  it('counts an event that is delivered again once', async () => {
    const team = under.team();
    const usage = {
      id: newId(),
      team_id: team.teamId,
      agent_id: uuidv7(),
      agent_name: 'Repeated',
      model: 'openai/a',
      occurred_at: new Date().toISOString(),
      counts: { input_tokens: 5 },
    };
    const records = under.running.app.get(UsageRecordsRepository, { strict: false });
    const transactions = under.running.app.get(Transactions);
    const add = () => transactions.run(() => records.add([usage]));
    expect([await add(), await add()]).toEqual([[team.teamId], []]);
    expect((await team.succeed(getBillingUsage)).model.input_tokens).toBe(5);
    expect((await team.succeed(getAgentUsage)).agents).toMatchObject([{ input_tokens: 5 }]);
  });

  it('counts what comes late for the day on which it happened', async () => {
    const team = under.team();
    await under.runs.record(eventsOfRun(team.teamId, { tokens: 3 }));
    await usageOf(team, 1);
    // An event of the last moment of the month before, as a log that was cut off for a while would give it.
    const { period } = await team.succeed(getBillingUsage);
    const before = new Date(Date.parse(period.start) - 1).toISOString();
    await recordSilently(
      under.database,
      'runs',
      `SELECT event, team_id, data, meta, $2::timestamptz AS created_at FROM runs.logged_event
        WHERE team_id = $1 AND event = 'run.message.created' LIMIT 1`,
      [team.teamId, before],
    );
    await eventually(async () => {
      const rows = await under.database.query<{ day: string; tokens: string }>(
        `SELECT day::text, sum(input_tokens) AS tokens FROM billing.daily_usage WHERE team_id = $1 GROUP BY day ORDER BY day`,
        [team.teamId],
      );
      expect(rows.map(({ day, tokens }) => [day, Number(tokens)])).toEqual([
        [before.slice(0, 10), 3],
        [new Date().toISOString().slice(0, 10), 3],
      ]);
    });
    expect((await team.succeed(getBillingUsage)).model.input_tokens).toBe(3);
  });

  it('is split where a run crosses midnight and the end of a month', async () => {
    const [model, team] = [under.team(), under.team()];
    const agentId = uuidv7();
    await under.runs.record(eventsOfRun(model.teamId, { agentId, tokens: 10 }));
    await usageOf(model, 1);
    const { period } = await team.succeed(getBillingUsage);
    const after = period.start;
    const before = new Date(Date.parse(after) - 1).toISOString();
    const happened = (event: string, at: string) =>
      recordSilently(
        under.database,
        'runs',
        `SELECT event, $2::uuid AS team_id, data, meta, $3::timestamptz AS created_at FROM runs.logged_event
          WHERE team_id = $1 AND event = $4`,
        [model.teamId, team.teamId, at, event],
      );
    await happened('run.started', before);
    await happened('run.message.created', before);
    await happened('run.message.created', after);
    await happened('run.message.created', after);
    await happened('run.completed', after);
    const usage = await usageOf(team, 1);
    expect(usage).toMatchObject({
      runs: { started: 0, completed: 1 },
      active_seconds: 0.5,
      model: { input_tokens: 20, output_tokens: 40 },
      daily: [{ date: after.slice(0, 10), runs: 0, active_seconds: 0.5, input_tokens: 20 }],
    });
    const months = await under.database.query(
      `SELECT month::text, sum(runs_started)::int AS runs, sum(input_tokens)::int AS tokens
         FROM billing.monthly_agent_usage WHERE team_id = $1 GROUP BY month ORDER BY month`,
      [team.teamId],
    );
    expect(months).toEqual([
      { month: `${before.slice(0, 7)}-01`, runs: 1, tokens: 10 },
      { month: after.slice(0, 10), runs: 0, tokens: 20 },
    ]);
    const recount = under.running.app.get(Recount, { strict: false });
    const day = (at: string) => at.slice(0, 10);
    expect(await recount.days({ from: day(before), before: day(new Date().toISOString()) })).toBe(0);
  });

  describe('counted again from its records', () => {
    const sums = (teamId: string) =>
      under.database.query(`SELECT * FROM billing.daily_usage WHERE team_id = $1 ORDER BY day, model`, [
        teamId,
      ]);
    const month = () => {
      const now = new Date();
      const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
      const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
      return { from: first.toISOString().slice(0, 10), before: next.toISOString().slice(0, 10) };
    };

    it('is the same', async () => {
      const team = under.team();
      await under.runs.record(Array.from({ length: 20 }, () => eventsOfRun(team.teamId)).flat());
      await usageOf(team, 20);
      expect(await under.running.app.get(Recount, { strict: false }).days(month())).toBe(0);
    });

    it('is mended where a sum is wrong, missing or of nothing', async () => {
      const team = under.team();
      const agentId = uuidv7();
      await under.runs.record(eventsOfRun(team.teamId, { agentId, model: 'openai/a' }));
      await usageOf(team, 1);
      const right = await sums(team.teamId);
      const tamper = async (sql: string) => under.database.query(sql, [team.teamId]);
      await tamper(`UPDATE billing.daily_usage SET input_tokens = 999 WHERE team_id = $1 AND model <> ''`);
      await tamper(`DELETE FROM billing.daily_usage WHERE team_id = $1 AND model = ''`);
      await tamper(
        `UPDATE billing.monthly_agent_usage SET runs_started = 7 WHERE team_id = $1 AND model = ''`,
      );
      expect(await under.running.app.get(Recount, { strict: false }).days(month())).toBe(3);
      expect(await sums(team.teamId)).toEqual(right);
      expect((await team.succeed(getAgentUsage)).agents).toEqual([
        expect.objectContaining({ agent_id: agentId, runs: 1 }),
      ]);
      expect(await under.running.app.get(Recount, { strict: false }).days(month())).toBe(0);
    });
  });

  it('stays when its records are old and go', async () => {
    const team = under.team();
    await under.runs.record(eventsOfRun(team.teamId));
    await usageOf(team, 1);
    const count = async () => {
      const [row] = await under.database.query<{ count: string }>(
        'SELECT count(*) FROM billing.usage_record WHERE team_id = $1',
        [team.teamId],
      );
      return Number(row!.count);
    };
    const retention = under.running.app.get(RecordRetention, { strict: false });
    expect(await retention.prune()).toBe(false);
    expect(await count()).toBeGreaterThan(0);
    expect(await retention.prune(Date.now() + 500 * 86_400_000)).toBe(false);
    expect(await count()).toBe(0);
    expect((await team.succeed(getBillingUsage)).runs.started).toBe(1);
  });

  it('keeps its records for as many days as the setting says', async () => {
    const team = under.team();
    await under.runs.record(eventsOfRun(team.teamId));
    await usageOf(team, 1);
    const days = () =>
      under.database.query<{ day: string }>(
        'SELECT DISTINCT day::text FROM billing.usage_record WHERE team_id = $1',
        [team.teamId],
      );
    const [record] = await days();
    const keptDays = billingConfigSchema.shape.USAGE_RETENTION_DAYS.parse(undefined);
    const lastMoment = Date.parse(`${record!.day}T23:59:59.999Z`) + keptDays * 86_400_000;
    const retention = under.running.app.get(RecordRetention, { strict: false });
    await retention.prune(lastMoment);
    expect(await days()).toEqual([record]);
    await retention.prune(lastMoment + 1);
    expect(await days()).toEqual([]);
  });
});
