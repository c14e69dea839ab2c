import { deleteAgent } from '@aos/contracts';
import { eventually } from '@aos/testing';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

/** Rows of one team that cannot be handled, before those of others. */
describe('a run that cannot be changed', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    runs = await startRuns();
    await runs.database.query('CREATE TABLE runs.poisoned (run_id uuid PRIMARY KEY)');
    await runs.database.query(`
      CREATE FUNCTION runs.refuse_poisoned() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF EXISTS (SELECT 1 FROM runs.poisoned WHERE run_id = NEW.id) THEN RAISE EXCEPTION 'poisoned'; END IF;
        RETURN NEW;
      END $$`);
    await runs.database.query(
      'CREATE TRIGGER refuse_poisoned BEFORE UPDATE ON runs.run FOR EACH ROW EXECUTE FUNCTION runs.refuse_poisoned()',
    );
  });

  afterAll(async () => {
    await runs?.stop();
  });

  const poison = (runId: string) =>
    runs.database.query('INSERT INTO runs.poisoned (run_id) VALUES ($1)', [runId]);

  it('does not keep the requests of others from ending when they are due', async () => {
    const agent = await runs.agent([
      'tool request_approval {"title": "Go?", "due_at": "2999-01-01T00:00:00Z"}',
      'finish On',
    ]);
    const [bad, good] = [await runs.start(agent), await runs.start(agent)];
    for (const { id } of [bad, good]) await runs.reach(id, 'waiting');
    await poison(bad.id);
    await runs.database.query(
      `UPDATE runs.human_request SET due_at = now() - CASE run_id WHEN $1 THEN interval '2 s' ELSE interval '1 s' END`,
      [bad.id],
    );
    await runs.reach(good.id, 'completed');
    expect((await runs.show(bad.id)).run.status).toBe('waiting');
  });

  it('does not keep the runs of other deleted agents from being stopped', async () => {
    const steps = ['wait 600000', 'finish Done'];
    const [badAgent, goodAgent] = [await runs.agent(steps), await runs.agent(steps)];
    const [bad, good] = [await runs.start(badAgent), await runs.start(goodAgent)];
    await eventually(async () => {
      for (const { id } of [bad, good]) expect((await runs.show(id)).run.usage.steps).toBe(1);
    });
    await poison(bad.id);
    for (const agentId of [badAgent, goodAgent]) {
      expect((await runs.call(deleteAgent, { params: { agent_id: agentId } })).status).toBe(200);
    }
    await runs.reach(good.id, 'stopped');
    expect((await runs.show(bad.id)).run.status).toBe('running');
  });
});
