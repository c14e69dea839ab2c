import {
  budgetSet,
  createArtifact,
  createQueue,
  deleteRun,
  listRuns,
  postArtifactMessage,
  postRunMessage,
  refreshArtifact,
  respondToHumanRequest,
  scheduleFired,
  startRun,
  stopRun,
  teamPlanSet,
  type Run,
} from '@aos/contracts';
import { newEvent } from '@aos/events';
import { ServiceClient } from '@aos/messaging';
import type { RunningService } from '@aos/service';
import { type EventLog, eventually, recordSilently, startEventLog } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { artifactsClient } from './artifacts-under-test.js';
import { casesClient } from './cases-under-test.js';
import {
  runsClient,
  startReplica,
  startRuns,
  type RunsClient,
  type RunsUnderTest,
} from './runs-under-test.js';

/** The plan `trial` allows 2 runs at once, 500 a month and one queue. */
const trial = { concurrent: 2, month: 500 };

describe('what a team may run', () => {
  let under: RunsUnderTest;
  let replica: RunningService;
  let gateway: EventLog;
  let billing: EventLog;

  beforeAll(async () => {
    // Each replica looks at plans and budgets anew for every run.
    under = await startRuns({ environment: { PLAN_CACHE_MS: '0', ARTIFACT_REFRESH_SWEEP_MS: '100' } });
    [replica, gateway, billing] = await Promise.all([
      startReplica(under.environment),
      startEventLog('gateway', under.environment),
      startEventLog('billing', under.environment),
    ]);
  });

  afterAll(async () => {
    await Promise.all([replica?.close(), gateway?.stop(), billing?.stop()]);
    await under?.stop();
  });

  const client = () => runsClient(under.running.app.get(ServiceClient), under.database);
  /** Starts at both replicas, so that neither can go by what it knows alone. */
  const startMany = (team: RunsClient, agentId: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => startOne(team, agentId)));
  /** As clients do: whoever is told that the service is too busy asks again, with the same key. */
  const startOne = (team: RunsClient, agentId: string) => {
    const request = { params: { teamId: team.teamId }, body: { agent_id: agentId }, key: uuidv7() };
    return eventually(
      async () => {
        const answer = await team.call(startRun, request);
        if (answer.status === 503) throw new Error(JSON.stringify(answer.body));
        return answer;
      },
      { timeoutMs: 30_000 },
    );
  };
  /** The run service has heard of it. */
  const has = async (team: RunsClient, table: 'team_plan' | 'team_budget', row: object) => {
    await eventually(async () => {
      const [known] = await under.database.query<{ row: object }>(
        `SELECT to_jsonb(copy) AS row FROM runs.${table} AS copy WHERE team_id = $1`,
        [team.teamId],
      );
      expect(known?.row).toMatchObject(row);
    });
  };
  const setPlan = async (team: RunsClient, plan: string) => {
    const data = { team_id: team.teamId, plan };
    await gateway.record([newEvent({ event: teamPlanSet, teamId: team.teamId, data })]);
    await has(team, 'team_plan', { plan });
  };
  const setBudget = async (
    team: RunsClient,
    budget: { max_runs?: number; stops?: boolean; tokens_used_up_until?: string },
  ) => {
    const none = { max_runs: null, stops: true, tokens_used_up_until: null };
    const data = { team_id: team.teamId, ...none, ...budget };
    await billing.record([newEvent({ event: budgetSet, teamId: team.teamId, data })]);
    const until = data.tokens_used_up_until;
    await has(team, 'team_budget', {
      max_runs: data.max_runs,
      stops: data.stops,
      tokens_used_up_until: until && expect.stringContaining(until.slice(0, until.indexOf('.'))),
    });
  };
  const statuses = async (team: RunsClient) =>
    (await team.call(listRuns, { params: { teamId: team.teamId }, query: { limit: '100' } })).body.data;

  describe('at once', () => {
    it('is as many as its plan says; the others wait, say so, and begin in their order as those end', async () => {
      const team = client();
      const agentId = await team.agent(['ask Go on?', 'finish done']);
      const sleeper = await team.agent(['wait 60000', 'finish done']);
      await setPlan(team, 'trial');
      const runs: Run[] = [];
      for (const agent of [sleeper, sleeper, agentId, agentId]) runs.push(await team.start(agent));
      expect(runs.map(({ run_number: number }) => number)).toEqual([1, 2, 1, 2]);
      const [first, second, third, fourth] = runs.map(({ id }) => id) as [string, string, string, string];
      await team.reach(first, 'running');
      await team.reach(second, 'running');
      expect((await team.show(third)).run.pending_reason).toBe('concurrency_limit');
      const listed = (await statuses(team)).map(({ id, pending_reason: reason }) => [id, reason]);
      expect(Object.fromEntries(listed)).toEqual({
        [first]: null,
        [second]: null,
        [third]: 'concurrency_limit',
        [fourth]: 'concurrency_limit',
      });
      await team.call(stopRun, { params: { run_id: first } });
      // A run that waits for a person leaves its place to the next.
      const { pending_human_request: asked } = await team.reach(third, 'waiting');
      await team.reach(fourth, 'waiting');
      // One that is answered goes on: it is not made to wait again.
      const answers = { answers: { 'Go on?': 'yes' } };
      await team.call(respondToHumanRequest, {
        params: { run_id: third, request_id: asked!.id },
        body: answers,
      });
      await team.reach(third, 'completed');
      await team.call(stopRun, { params: { run_id: second } });
    });

    it('is never more, however many start at once on however many replicas', async () => {
      const team = client();
      const agentId = await team.agent(['wait 20', 'finish done']);
      await setPlan(team, 'trial');
      const answers = await startMany(team, agentId, 50);
      expect(answers.filter(({ status }) => status !== 201).map(({ body }) => body)).toEqual([]);
      let most = 0;
      await eventually(
        async () => {
          const all = await statuses(team);
          most = Math.max(most, all.filter(({ status }) => status === 'running').length);
          expect(all.filter(({ status }) => status === 'completed')).toHaveLength(50);
        },
        { timeoutMs: 55_000 },
      );
      expect(most).toBeLessThanOrEqual(trial.concurrent);
    });
  });

  describe('of pages', () => {
    const soon = () => new Date(Date.now() + 3_600_000).toISOString();
    const ask = (team: RunsClient) => team.call(createArtifact, { body: { message: 'Show our runs' } });

    it('ends when the tokens are used up, and what was refused is named', async () => {
      const team = client();
      const artifacts = artifactsClient(team);
      const artifactId = await artifacts.completed('Show our runs', { refresh_frequency: 'daily' });
      await setBudget(team, { tokens_used_up_until: soon() });
      const params = { artifactId };
      const refused = [
        await ask(team),
        await team.call(refreshArtifact, { params }),
        await team.call(postArtifactMessage, { params, body: { message: 'Larger' } }),
      ];
      expect(refused.map(({ status, body }) => ({ status, body }))).toEqual(
        Array.from({ length: 3 }, () => ({
          status: 403,
          body: {
            error: 'budget_exceeded',
            message: 'The tokens of this month are used up, and the budget of the team stops pages.',
          },
        })),
      );
      expect(await artifacts.show(artifactId)).toMatchObject({ status: 'completed', current_version: 1 });
      // One that is due is left until its next time.
      await under.database.query('UPDATE runs.artifact SET next_refresh_at = now() WHERE id = $1', [
        artifactId,
      ]);
      await eventually(async () => {
        const { next_refresh_at: next } = await artifacts.show(artifactId);
        expect(Date.parse(next!)).toBeGreaterThan(Date.now());
      });
      expect(await artifacts.versions(artifactId)).toEqual([1]);
      await setBudget(team, { tokens_used_up_until: soon(), stops: false });
      await artifacts.completed();
    });

    it('is not what counts runs: neither budget nor plan', async () => {
      const team = client();
      const agentId = await team.agent(['finish done']);
      for (let n = 0; n < 2; n += 1) await team.start(agentId);
      await setBudget(team, { max_runs: 1 });
      expect((await startMany(team, agentId, 1))[0]!.body.error).toBe('budget_exceeded');
      expect((await ask(team)).status).toBe(201);
    });
  });

  describe('in a month', () => {
    /** As if so many had been started already. */
    const startedBefore = (team: RunsClient, starts: number) =>
      under.database.query(
        `INSERT INTO runs.month_starts VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC')::date, $2)
         ON CONFLICT (team_id, month) DO UPDATE SET starts = excluded.starts`,
        [team.teamId, starts],
      );

    it('is what its plan says, exactly, also for 50 starts at once', async () => {
      const team = client();
      const agentId = await team.agent(['finish done']);
      await setPlan(team, 'trial');
      await startedBefore(team, trial.month - 7);
      const answers = await startMany(team, agentId, 50);
      const refused = answers.filter(({ status }) => status !== 201);
      expect(answers).toHaveLength(refused.length + 7);
      expect(new Set(refused.map(({ status, body }) => `${status} ${body.error}`))).toEqual(
        new Set(['403 entitlement_exceeded']),
      );
      expect(refused[0]!.body.message).toContain('runs_per_month');
      expect(await statuses(team)).toHaveLength(7);
    });

    it('counts what was started before there was a limit', async () => {
      const team = client();
      const agentId = await team.agent(['finish done']);
      for (let n = 0; n < 3; n += 1) await team.start(agentId);
      await setBudget(team, { max_runs: 4 });
      expect((await startMany(team, agentId, 1))[0]!.status).toBe(201);
      const [over] = await startMany(team, agentId, 1);
      expect([over!.status, over!.body.error]).toEqual([403, 'budget_exceeded']);
    });

    it('counts what was started and deleted since, whatever becomes of the budget', async () => {
      const team = client();
      const agentId = await team.agent(['finish done']);
      await setBudget(team, { max_runs: 2 });
      for (let n = 0; n < 2; n += 1) {
        const { id } = await team.start(agentId);
        await team.reach(id, 'completed');
        expect((await team.call(deleteRun, { params: { run_id: id } })).status).toBe(200);
      }
      await setBudget(team, { max_runs: 3 });
      expect((await startMany(team, agentId, 1))[0]!.status).toBe(201);
      const [over] = await startMany(team, agentId, 1);
      expect([over!.status, over!.body.error]).toEqual([403, 'budget_exceeded']);
    });

    it('of a budget that only notifies is without an end', async () => {
      const team = client();
      const agentId = await team.agent(['finish done']);
      await setBudget(team, { max_runs: 1, stops: false });
      const answers = await startMany(team, agentId, 3);
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    });

    it('counts a run that is reopened once more, and leaves it as it was when that is too many', async () => {
      const team = client();
      const agentId = await team.agent(['finish done']);
      await setBudget(team, { max_runs: 2 });
      const run = await team.start(agentId);
      await team.reach(run.id, 'completed');
      const post = () =>
        team.call(postRunMessage, { params: { run_id: run.id }, body: { message: 'Once more.' } });
      expect((await post()).status).toBe(201);
      await team.reach(run.id, 'completed');
      const again = await post();
      expect([again.status, again.body.error]).toEqual([403, 'budget_exceeded']);
      expect((await team.show(run.id)).run.status).toBe('completed');
    });

    it('gives a start that is repeated with its key its answer again, and counts it once', async () => {
      const team = client();
      const agentId = await team.agent(['finish done']);
      await setBudget(team, { max_runs: 1 });
      const request = { params: { teamId: team.teamId }, body: { agent_id: agentId }, key: 'once' };
      const first = await team.call(startRun, request);
      const second = await team.call(startRun, request);
      expect([first.status, second.text, second.replayed]).toEqual([201, first.text, true]);
      const other = { ...request, key: 'twice' };
      expect((await team.call(startRun, other)).body).toEqual({
        error: 'budget_exceeded',
        message: 'The budget allows 1 run in a month, and the budget of the team stops runs.',
      });
    });

    it('ends when the tokens are used up, until the month does', async () => {
      const team = client();
      const agentId = await team.agent(['finish done']);
      const soon = new Date(Date.now() + 3_600_000).toISOString();
      await setBudget(team, { tokens_used_up_until: soon });
      expect((await startMany(team, agentId, 1))[0]!.body.error).toBe('budget_exceeded');
      await setBudget(team, { tokens_used_up_until: new Date(Date.now() - 1).toISOString() });
      expect((await startMany(team, agentId, 1))[0]!.status).toBe(201);
    });

    it('leaves cases pending beyond it, which are taken when there is room again', async () => {
      const team = client();
      const cases = casesClient(team);
      const queueId = await cases.queue();
      const agentId = await team.agent(['tool complete_case {}', 'finish done']);
      await setBudget(team, { max_runs: 1 });
      await cases.trigger(agentId, queueId);
      const [first, second] = await cases.add(queueId, 'first', 'second');
      await cases.reach(first!.id, 'completed');
      expect(await cases.history(second!.id)).toEqual(['created']);
      expect((await startMany(team, agentId, 1))[0]!.body.error).toBe('budget_exceeded');
      expect((await cases.show(second!.id)).case.display_status).toBe('pending');
      await setBudget(team, { max_runs: 2 });
      await cases.reach(second!.id, 'completed');
    });

    it('skips what a schedule wants beyond it, with its reason and without a fault of the schedule', async () => {
      const team = client();
      const agentId = await team.agent(['finish done']);
      await setBudget(team, { max_runs: 1 });
      await team.start(agentId);
      const data = {
        schedule_id: uuidv7(),
        agent_id: agentId,
        run_id: uuidv7(),
        due_at: new Date().toISOString(),
        message: null,
      };
      await recordSilently(
        under.database,
        'agents_and_revisions',
        `SELECT $1 AS event, $2::uuid AS team_id, $3::jsonb AS data, '{}'::jsonb AS meta, now() AS created_at`,
        [scheduleFired.name, team.teamId, JSON.stringify(data)],
      );
      await eventually(
        async () => {
          const [row] = await under.database.query<{ data: Record<string, unknown> }>(
            `SELECT data FROM runs.logged_event WHERE team_id = $1 AND event = 'schedule.run_ended'`,
            [team.teamId],
          );
          expect(row?.data).toMatchObject({ run_id: data.run_id, ok: false, skipped: true });
          expect(row?.data['reason']).toContain('budget');
        },
        { timeoutMs: 20_000 },
      );
    });
  });

  it('is one queue by the plan, exactly, also for 50 at once', async () => {
    const team = client();
    await setPlan(team, 'trial');
    const make = (name: string) =>
      team.call(createQueue, { params: { teamId: team.teamId }, body: { name } });
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => make(`Queue ${n}`)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(49);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.error}: ${body.message}`))).toEqual(
      new Set(['403 entitlement_exceeded: The plan of the team allows 1: queues.']),
    );
  });
});
