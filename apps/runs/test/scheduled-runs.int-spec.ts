import { createSchedule, getAgent, listAgentSchedules, type Run } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { eventually } from '@aos/testing';
import { runsClient, startReplica, startRuns, type RunsUnderTest } from './runs-under-test.js';

describe('runs of schedules', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    runs = await startRuns();
  });

  afterAll(() => runs?.stop());

  async function scheduled(steps: string[]): Promise<{ agentId: string; scheduleId: string }> {
    const agentId = await runs.agent(steps);
    const { body } = await runs.call(createSchedule, {
      params: { agent_id: agentId },
      body: { frequency: 'hourly', message: 'the hour has come' },
    });
    return { agentId, scheduleId: body.id };
  }

  const schedule = async (agentId: string) =>
    (await runs.call(listAgentSchedules, { params: { agent_id: agentId } })).body.schedules[0]!;

  /** As if the time had come. */
  const fire = (scheduleId: string) =>
    runs.database.query(
      `UPDATE agents_and_revisions.schedule SET next_run_at = now() - interval '1 second' WHERE id = $1`,
      [scheduleId],
    );

  const runsOf = (agentId: string) =>
    runs.database.query<Pick<Run, 'id' | 'status' | 'source' | 'title' | 'user_id'>>(
      'SELECT id, status, source, title, user_id FROM runs.run WHERE agent_id = $1 ORDER BY id',
      [agentId],
    );

  it('start once each, by whichever worker', async () => {
    const second = await startReplica(runs.environment);
    try {
      const { agentId, scheduleId } = await scheduled(['finish Done']);
      for (const firing of [1, 2, 3]) {
        await fire(scheduleId);
        await eventually(async () => {
          const rows = await runsOf(agentId);
          expect(rows.map(({ status }) => status)).toEqual(Array(firing).fill('completed'));
        });
      }
      const rows = await runsOf(agentId);
      expect(rows[2]).toMatchObject({ source: 'schedule', title: 'the hour has come', user_id: null });
      expect((await schedule(agentId)).last_run_id).toBe(rows[2]!.id);
      expect(await runs.database.query('SELECT 1 FROM runs.scheduled_start')).toEqual([]);
      await eventually(async () => {
        const { body } = await runs.call(getAgent, { params: { agent_id: agentId } });
        expect(body.agent.last_run_at).not.toBeNull();
      });
    } finally {
      await second.close();
    }
  });

  it('switch the schedule off when ten in a row have failed, and tell why', async () => {
    const { agentId, scheduleId } = await scheduled(['fail The printer is on fire']);
    for (let firing = 1; firing <= 10; firing += 1) {
      expect((await schedule(agentId)).enabled).toBe(true);
      await fire(scheduleId);
      await eventually(async () => {
        const [row] = await runs.database.query<{ failed_runs: number }>(
          'SELECT failed_runs FROM agents_and_revisions.schedule WHERE id = $1',
          [scheduleId],
        );
        expect(row!.failed_runs).toBe(firing);
      });
    }
    const disabled = await schedule(agentId);
    expect(disabled).toMatchObject({
      enabled: false,
      next_run_at: null,
      auto_disabled_reason: expect.stringContaining('The printer is on fire'),
    });
    expect(disabled.auto_disabled_at).not.toBeNull();
    expect(await runsOf(agentId)).toHaveLength(10);
  });

  it('forget earlier failures when one goes well', async () => {
    const { agentId, scheduleId } = await scheduled(['finish Done']);
    await runs.database.query('UPDATE agents_and_revisions.schedule SET failed_runs = 9 WHERE id = $1', [
      scheduleId,
    ]);
    await fire(scheduleId);
    await eventually(async () => {
      const [row] = await runs.database.query<{ failed_runs: number; enabled: boolean }>(
        'SELECT failed_runs, enabled FROM agents_and_revisions.schedule WHERE id = $1',
        [scheduleId],
      );
      expect(row).toEqual({ failed_runs: 0, enabled: true });
    });
    expect(await runsOf(agentId)).toHaveLength(1);
  });

  it('that were skipped are not shown as the last one', async () => {
    const team = runsClient(runs.running.app.get(ServiceClient), runs.database);
    // It may start no run at all.
    await runs.database.query(
      'INSERT INTO runs.team_budget (team_id, max_runs, stops) VALUES ($1, 0, true)',
      [team.teamId],
    );
    const params = { agent_id: await team.agent(['finish Done']) };
    const { body: made } = await team.call(createSchedule, { params, body: { frequency: 'hourly' } });
    await fire(made.id);
    const shown = async () => (await team.call(listAgentSchedules, { params })).body.schedules[0]!;
    await eventually(async () => expect((await shown()).last_run_at).not.toBeNull());
    await eventually(async () => expect((await shown()).last_run_id).toBeNull());
    expect(await shown()).toMatchObject({ enabled: true, auto_disabled_at: null });
    expect(await runsOf(params.agent_id)).toEqual([]);
  });
});
