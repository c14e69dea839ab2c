import { postRunMessage, stopRun } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { eventually, startModelServer, type ModelServer } from '@aos/testing';
import { runsClient, startRuns, type RunsClient, type RunsUnderTest } from './runs-under-test.js';

const floodSize = 160;

/** One process, a team whose runs all hang at their model, and one that wants little. */
describe('the places of a worker', () => {
  let models: ModelServer;
  let flood: RunsUnderTest;
  let calm: RunsClient;
  let hanging: string[];

  beforeAll(async () => {
    models = await startModelServer();
    models.script({ kind: 'hang' });
    flood = await startRuns({ environment: { COMPATIBLE_BASE_URL: models.openAiUrl } });
    calm = runsClient(flood.running.app.get(ServiceClient), flood.database);
    const agent = await flood.agent('Think.', { model: 'compatible/stand-in' });
    hanging = await Promise.all(Array.from({ length: floodSize }, async () => (await flood.start(agent)).id));
    await eventually(() => expect(models.requests.length).toBeGreaterThanOrEqual(90));
  });

  afterAll(async () => {
    await flood?.stop();
    await models?.close();
  });

  const statuses = async (): Promise<Record<string, number>> => {
    const rows = await flood.database.query<{ status: string; count: number }>(
      'SELECT status, count(*)::int AS count FROM runs.run WHERE team_id = $1 GROUP BY status',
      [flood.teamId],
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  };

  it('are not all given to a team that floods', async () => {
    expect(await statuses()).toEqual({ running: 96, pending: floodSize - 96 });
  });

  it('have room for the run of another team, which ends while the flood still waits', async () => {
    const { id } = await calm.start(await calm.agent(['say One', 'finish Done']));
    expect((await calm.reach(id, 'completed')).run.result).toBe('Done');
    expect(await statuses()).toMatchObject({ pending: floodSize - 96 });
  });

  it('have room for one that slept, and for one that a person has let go on', async () => {
    const { id: slept } = await calm.start(await calm.agent(['wait 50', 'finish Awake']));
    expect((await calm.reach(slept, 'completed')).run.result).toBe('Awake');
    const { id: asked } = await calm.start(await calm.agent(['ask Go on?', 'finish Gone on']));
    await calm.reach(asked, 'waiting');
    await calm.call(postRunMessage, {
      params: { run_id: asked },
      body: { message: 'Do' },
    });
    expect((await calm.reach(asked, 'completed')).run.result).toBe('Gone on');
    expect(await statuses()).toMatchObject({ pending: floodSize - 96 });
  });

  it('go to the oldest waiting run of a team when one ends', async () => {
    const pending = await flood.database.query<{ id: string }>(
      `SELECT id FROM runs.run WHERE team_id = $1 AND status = 'pending' ORDER BY queued_at, id`,
      [flood.teamId],
    );
    const running = hanging.filter((id) => !pending.some((run) => run.id === id));
    await flood.call(stopRun, { params: { run_id: running[0]! } });
    await flood.reach(pending[0]!.id, 'running');
    expect(await statuses()).toEqual({ stopped: 1, running: 96, pending: floodSize - 97 });
  });
});
