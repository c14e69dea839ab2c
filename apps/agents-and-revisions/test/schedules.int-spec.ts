import {
  createAgent,
  createSchedule,
  deleteAgent,
  deleteSchedule,
  listAgentSchedules,
  sweepSchedules,
  updateSchedule,
} from '@aos/contracts';
import { JobQueues } from '@aos/messaging';
import { Transactions } from '@aos/persistence';
import { eventually } from '@aos/testing';
import pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { ScheduleRunner } from '../src/schedules/schedule-runner.js';
import { SchedulesRepository } from '../src/schedules/schedules.repository.js';
import { maxEnabledSchedules } from '../src/schedules/schedules.sql.js';
import { aheadBy, behindBy } from './clock-behind.js';
import { startAgents, startReplica, type AgentsUnderTest } from './agents-under-test.js';

describe('schedules', () => {
  let agents: AgentsUnderTest;
  let agentId: string;

  beforeAll(async () => {
    agents = await startAgents();
  });

  beforeEach(async () => {
    const { body } = await agents.call(createAgent, { params: { teamId: agents.teamId } });
    agentId = body.agent_id;
  });

  afterAll(() => agents?.stop());

  const create = (body?: object) => agents.call(createSchedule, { params: { agent_id: agentId }, body });
  const update = (id: string, body: object) =>
    agents.call(updateSchedule, { params: { agent_id: agentId, schedule_id: id }, body });

  /** As if the time had come. */
  const makeDue = (id: string, ago = '1 minute') =>
    agents.database.query(
      `UPDATE agents_and_revisions.schedule SET next_run_at = now() - $2::interval WHERE id = $1`,
      [id, ago],
    );

  const firings = (id: string) =>
    agents.database.query<{ data: { run_id: string; message: string | null }; team_id: string }>(
      `SELECT data, team_id FROM agents_and_revisions.logged_event
        WHERE event = 'schedule.fired' AND data->>'schedule_id' = $1 ORDER BY batch_id, place`,
      [id],
    );

  /** Asks while another transaction holds the schedule, and has changed it in some way by the time it lets go. */
  async function askWhileChanged<T>(id: string, change: string, ask: () => Promise<T>): Promise<T> {
    const other = new pg.Client({ connectionString: agents.database.url });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query(`UPDATE agents_and_revisions.schedule SET ${change} WHERE id = $1`, [id]);
      const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const answer = ask();
      await eventually(async () => {
        const waiting = 'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
        expect(await agents.database.query(waiting, [rows[0]!.pid])).toHaveLength(1);
      });
      await other.query('COMMIT');
      return await answer;
    } finally {
      await other.end();
    }
  }

  it('have every default and a next run', async () => {
    const { status, body } = await create();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: body.schedule_id,
      agent_id: agentId,
      enabled: true,
      frequency: 'daily',
      time: '09:00',
      timezone: 'UTC',
      day: 'monday',
      day_of_month: 1,
      cron: null,
      recurring: true,
      message: null,
      last_run_at: null,
    });
    expect(body.next_run_at).toMatch(/T09:00:00\.000Z$/);
    expect(body.upcoming_runs).toHaveLength(5);
    expect(body.upcoming_runs![0]).toBe(body.next_run_at);
  });

  it('follow a change, and have no next run while disabled', async () => {
    const { body } = await create();
    expect((await update(body.id, { time: '10:30' })).body.next_run_at).toMatch(/T10:30:00\.000Z$/);
    expect((await update(body.id, { enabled: false })).body.next_run_at).toBeNull();
    const custom = await update(body.id, { enabled: true, frequency: 'custom', cron: '15 4 * * *' });
    expect(custom.body.next_run_at).toMatch(/T04:15:00\.000Z$/);
  });

  it('follow an expression that comes without a frequency', async () => {
    const { body } = await create({ cron: '0 7 * * 1' });
    expect(body).toMatchObject({ frequency: 'custom', cron: '0 7 * * 1' });
    expect(new Date(body.next_run_at!).getUTCDay()).toBe(1);
    const changed = await update(body.id, { cron: '30 7 * * 2' });
    expect(changed.body).toMatchObject({ frequency: 'custom', cron: '30 7 * * 2' });
    expect((await update(body.id, { frequency: 'weekly' })).body).toMatchObject({
      frequency: 'weekly',
      cron: null,
    });
    expect((await update(body.id, { cron: '0 7 * * 3' })).body.frequency).toBe('custom');
    const refused = await update(body.id, { frequency: 'hourly', cron: '0 7 * * 3' });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: 'cron: must be absent when frequency is hourly' },
    });
  });

  it('that are due fire although something else than their date is changed', async () => {
    const { body } = await create({ message: 'Good morning' });
    const cameDue = `next_run_at = now() - interval '1 minute'`;
    const changes = { message: 'Good evening', time: body.time };
    const changed = await askWhileChanged(body.id, cameDue, () => update(body.id, changes));
    expect(changed.body).toMatchObject({ enabled: true, message: 'Good evening' });
    await eventually(async () => expect(await firings(body.id)).toHaveLength(1));
  });

  it('that have fired their single time are not switched on by a change that began before', async () => {
    const { body } = await create({ recurring: false });
    const fired = 'enabled = false, next_run_at = NULL';
    const changed = await askWhileChanged(body.id, fired, () => update(body.id, { message: 'Again?' }));
    expect(changed.body).toMatchObject({ enabled: false, next_run_at: null, message: 'Again?' });
  });

  it.each([
    [{ time: '24:00' }, 'time'],
    [{ time: '9:00' }, 'time'],
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ frequency: 'yearly' }, 'frequency'],
    [{ frequency: 'custom' }, 'cron'],
    [{ frequency: 'daily', cron: '0 7 * * 1' }, 'cron'],
    [{ frequency: 'custom', cron: '61 * * * *' }, 'cron'],
    [{ frequency: 'custom', cron: '0 0 31 2 *' }, 'cron'],
    [{ frequency: 'custom', cron: '0 0 30 feb *' }, 'cron'],
    [{ frequency: 'custom', cron: '2030-01-01T00:00:00 * * * *' }, 'cron'],
    [{ day_of_month: 32 }, 'day_of_month'],
    [{ day: 'someday' }, 'day'],
    [{ enabled: 'yes' }, 'enabled'],
  ])('refuse %j and name the field', async (body, field) => {
    const refused = await create(body);
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(refused.body.message).toContain(`${field}: `);
  });

  it('are five enabled at most, also when they come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 9 }, () => create()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ body }) => body.error === 'limit_reached')).toHaveLength(4);
    const sixth = await create({ enabled: false });
    expect(sixth.status).toBe(200);
    expect(await update(sixth.body.id, { enabled: true })).toMatchObject({ status: 409 });
    const first = answers.find(({ status }) => status === 200)!.body.id;
    expect((await update(first, { time: '11:00' })).status).toBe(200);
    await update(first, { enabled: false });
    expect((await update(sixth.body.id, { enabled: true })).status).toBe(200);
  });

  it('fire once when due, then at the next date', async () => {
    const { body } = await create({ message: 'Good morning' });
    await makeDue(body.id, '3 days');
    await eventually(async () => expect(await firings(body.id)).toHaveLength(1));
    const list = await agents.call(listAgentSchedules, { params: { agent_id: agentId } });
    const [fired] = await firings(body.id);
    expect(fired).toMatchObject({
      team_id: agents.teamId,
      data: { message: 'Good morning', agent_id: agentId },
    });
    expect(list.body.schedules[0]).toMatchObject({ enabled: true, last_run_id: fired!.data.run_id });
    expect(Date.parse(list.body.schedules[0]!.next_run_at!)).toBeGreaterThan(Date.now());
    expect(await firings(body.id)).toHaveLength(1);
  });

  it('fire once for a date, also where the clock of the process is behind that of Postgres', async () => {
    const due = new Date(Math.floor(Date.now() / 60_000) * 60_000);
    const { body } = await create({ time: due.toISOString().slice(11, 16) });
    const runner = agents.running.app.get(ScheduleRunner, { strict: false });
    await behindBy(Date.now() - due.getTime() + 1_000, async () => {
      await agents.database.query('UPDATE agents_and_revisions.schedule SET next_run_at = $2 WHERE id = $1', [
        body.id,
        due.toISOString(),
      ]);
      await runner.runDue();
      await runner.runDue();
    });
    expect(await firings(body.id)).toHaveLength(1);
    const list = await agents.call(listAgentSchedules, { params: { agent_id: agentId } });
    expect(Date.parse(list.body.schedules[0]!.next_run_at!) - due.getTime()).toBe(24 * 60 * 60_000);
  });

  it('pass over no date by a clock that is ahead', async () => {
    const minute = 60_000;
    const due = new Date(Math.floor(Date.now() / minute) * minute - 30 * minute);
    const { body } = await create({ frequency: 'hourly', time: due.toISOString().slice(11, 16) });
    const runner = agents.running.app.get(ScheduleRunner, { strict: false });
    await aheadBy(31 * minute, async () => {
      await agents.database.query('UPDATE agents_and_revisions.schedule SET next_run_at = $2 WHERE id = $1', [
        body.id,
        due.toISOString(),
      ]);
      await runner.runDue();
    });
    const list = await agents.call(listAgentSchedules, { params: { agent_id: agentId } });
    expect(Date.parse(list.body.schedules[0]!.next_run_at!) - due.getTime()).toBe(60 * minute);
  });

  it('fire a single time where they do not recur', async () => {
    const { body } = await create({ recurring: false });
    await makeDue(body.id);
    await eventually(async () => expect(await firings(body.id)).toHaveLength(1));
    const list = await agents.call(listAgentSchedules, { params: { agent_id: agentId } });
    expect(list.body.schedules[0]).toMatchObject({ enabled: false, next_run_at: null });
  });

  it('fire once each however many workers there are, and although Redis forgets', async () => {
    const others = await Promise.all([1, 2].map(() => startReplica(agents.environment)));
    try {
      const ids: string[] = [];
      for (let index = 0; index < 30; index += 1) {
        const made = await agents.call(createAgent, { params: { teamId: agents.teamId } });
        const params = { agent_id: made.body.agent_id };
        ids.push((await agents.call(createSchedule, { params })).body.id);
      }
      // What FLUSHALL would do to this test's keys, without disturbing the others on the same server.
      const queues = agents.running.app.get(JobQueues);
      await queues.queue(sweepSchedules).obliterate({ force: true });
      await Promise.all(ids.map((id) => makeDue(id)));
      await eventually(
        async () => {
          const counts = await Promise.all(ids.map(async (id) => (await firings(id)).length));
          expect(counts).toEqual(ids.map(() => 1));
        },
        { timeoutMs: 30_000 },
      );
      const runs = (await Promise.all(ids.map((id) => firings(id)))).flat().map(({ data }) => data.run_id);
      expect(new Set(runs).size).toBe(ids.length);
    } finally {
      await Promise.all(others.map((other) => other.close()));
    }
  });

  it('are claimed by one of two workers that have read the same date', async () => {
    const { body } = await create();
    const transactions = agents.running.app.get(Transactions);
    const schedules = agents.running.app.get(SchedulesRepository, { strict: false });
    // In one transaction, so that no worker of the service sees that the schedule is due.
    const claims = await transactions.run(async () => {
      await transactions.query(
        `UPDATE agents_and_revisions.schedule SET next_run_at = now() - interval '1 year' WHERE id = $1`,
        [body.id],
      );
      const schedule = (await schedules.due(1))[0]!;
      const nextRunAt = new Date(Date.now() + 3_600_000);
      const claim = () => schedules.takeDue([{ schedule, runId: uuidv7(), nextRunAt, fault: null }]);
      return [await claim(), await claim()];
    });
    expect(claims).toEqual([new Set([body.id]), new Set()]);
  });

  it('record no event where the claim fails, and fire once when it succeeds', async () => {
    const { body } = await create();
    const refusal = `
      CREATE FUNCTION agents_and_revisions.refuse() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE OF last_run_id ON agents_and_revisions.schedule
        FOR EACH ROW EXECUTE FUNCTION agents_and_revisions.refuse()`;
    await agents.database.query(refusal);
    try {
      await makeDue(body.id);
      expect(await agents.running.app.get(ScheduleRunner, { strict: false }).runDue()).toBe(0);
      expect(await firings(body.id)).toEqual([]);
    } finally {
      await agents.database.query('DROP FUNCTION agents_and_revisions.refuse CASCADE');
    }
    await eventually(async () => expect(await firings(body.id)).toHaveLength(1));
  });

  it('cost nothing while none is due soon', async () => {
    const beats = () => agents.running.app.get(JobQueues).queue(sweepSchedules).getJobSchedulersCount();
    const { body } = await create();
    await agents.database.query(
      `UPDATE agents_and_revisions.schedule SET next_run_at = now() + interval '1 hour' WHERE enabled`,
    );
    await eventually(async () => expect(await beats()).toBe(0));
    await makeDue(body.id);
    await eventually(async () => expect(await firings(body.id)).toHaveLength(1));
    expect(await beats()).toBe(1);
  });

  it('whose next date cannot be told fire this once and are switched off, and hold up nobody', async () => {
    // As a time zone that was given up, or an expression that an earlier version took.
    const bad = [(await create()).body.id, (await create()).body.id];
    const spoil =
      'UPDATE agents_and_revisions.schedule SET frequency = $2, cron = $3, timezone = $4 WHERE id = $1';
    await agents.database.query(spoil, [bad[0], 'custom', '0 0 30 2 *', 'UTC']);
    await agents.database.query(spoil, [bad[1], 'daily', null, 'Mars/Olympus']);
    const good = [(await create()).body.id, (await create()).body.id];
    await Promise.all(bad.map((id) => makeDue(id, '2 minutes')));
    await Promise.all(good.map((id) => makeDue(id)));
    await eventually(async () => {
      for (const id of [...good, ...bad]) expect(await firings(id)).toHaveLength(1);
    });
    const { body } = await agents.call(listAgentSchedules, { params: { agent_id: agentId } });
    const shown = new Map(body.schedules.map((schedule) => [schedule.id, schedule]));
    for (const id of good) expect(shown.get(id)).toMatchObject({ enabled: true, auto_disabled_at: null });
    for (const id of bad) {
      expect(shown.get(id)).toMatchObject({
        enabled: false,
        next_run_at: null,
        auto_disabled_at: expect.any(String),
        auto_disabled_reason: expect.stringContaining('cannot be told'),
      });
    }
    // A change that leaves it off leaves the reason, too.
    const renamed = await update(bad[1]!, { timezone: 'UTC', message: 'Soon' });
    expect(renamed.body).toMatchObject({
      enabled: false,
      message: 'Soon',
      auto_disabled_at: shown.get(bad[1]!)!.auto_disabled_at,
      auto_disabled_reason: expect.stringContaining('cannot be told'),
    });
    // A person can mend it.
    const mended = await update(bad[1]!, { enabled: true });
    expect(mended.body).toMatchObject({ enabled: true, auto_disabled_at: null, auto_disabled_reason: null });
  });

  it('of a team are counted without a look at those of others', async () => {
    await create();
    // Never due while the test lasts.
    await agents.database.query(
      `INSERT INTO agents_and_revisions.schedule (id, agent_id, team_id, enabled, frequency, time, timezone, day,
                                                  day_of_month, recurring, next_run_at, created_at, updated_at)
       SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), true, 'daily', '09:00', 'UTC', 'monday',
              1, true, now() + interval '1 day', now(), now() FROM generate_series(1, 2000)`,
    );
    await agents.database.query('ANALYZE agents_and_revisions.schedule');
    const [row] = await agents.running.app
      .get(Transactions)
      .query<{ 'QUERY PLAN': unknown }>(`EXPLAIN (FORMAT JSON) ${maxEnabledSchedules}`, [agents.teamId]);
    expect(JSON.stringify(row!['QUERY PLAN'])).toContain('"Index Name":"schedule_team"');
  });

  it('go with their agent', async () => {
    const { body } = await create();
    await create({ enabled: false });
    const gone = await agents.call(deleteAgent, { params: { agent_id: agentId } });
    expect(gone.body).toEqual({ success: true, schedules_deleted: 2 });
    expect((await update(body.id, {})).status).toBe(404);
  });

  it('are deleted, and are not for other teams', async () => {
    const { body } = await create();
    const params = { agent_id: agentId, schedule_id: body.id };
    expect((await agents.call(deleteSchedule, { params, teamId: uuidv7() })).status).toBe(404);
    expect((await agents.call(deleteSchedule, { params })).body).toEqual({ success: true });
    expect((await agents.call(deleteSchedule, { params })).status).toBe(404);
  });
});
