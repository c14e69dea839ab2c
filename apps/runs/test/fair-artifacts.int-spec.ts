import { stopArtifact } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import type { RunningService } from '@aos/service';
import { createProductDatabase, eventually, testEnvironment, type TestDatabase } from '@aos/testing';
import { artifactsClient, script } from './artifacts-under-test.js';
import { runsClient, startReplica } from './runs-under-test.js';

const floodSize = 12;
const endless = script('wait 600000');

/** One process, which makes 8 pages at once; a team that wants many of them, and some that want few. */
describe('the places for pages', () => {
  let database: TestDatabase;
  let running: RunningService;
  let flood: Team;

  beforeAll(async () => {
    database = await createProductDatabase();
    running = await startReplica(testEnvironment({ DATABASE_URL: database.url }));
    flood = team();
    for (let n = 0; n < floodSize; n += 1) await flood.artifacts.create(endless);
  });

  afterAll(async () => {
    await running?.close();
    await database?.drop();
  });

  type Team = ReturnType<typeof team>;
  const team = () => {
    const runs = runsClient(running.app.get(ServiceClient), database);
    const of = async (status: string) => {
      const rows = await database.query<{ id: string }>(
        'SELECT id FROM runs.artifact WHERE team_id = $1 AND status = $2 ORDER BY created_at, id',
        [runs.teamId, status],
      );
      return rows.map(({ id }) => id);
    };
    return {
      artifacts: artifactsClient(runs),
      of,
      counts: async () => ({
        running: (await of('running')).length,
        pending: (await of('pending')).length,
      }),
      stop: (artifactId: string) => runs.call(stopArtifact, { params: { artifactId } }),
    };
  };

  it('are not all given to a team that floods', async () => {
    await eventually(async () => expect(await flood.counts()).toEqual({ running: 6, pending: 6 }));
  });

  it('have room for the page of another team, which is made while the flood still waits', async () => {
    await team().artifacts.completed();
    expect(await flood.counts()).toEqual({ running: 6, pending: 6 });
  });

  it('go to the team that has the fewest, however long the others wait', async () => {
    const others = [team(), team()];
    for (const { artifacts } of others) await artifacts.reach(await artifacts.create(endless), 'running');
    const late = team();
    const first = await late.artifacts.create(endless);
    const second = await late.artifacts.create(endless);
    expect(await late.counts()).toEqual({ running: 0, pending: 2 });
    const [one, two] = await flood.of('running');
    await flood.stop(one!);
    await late.artifacts.reach(first, 'running');
    await flood.stop(two!);
    await late.artifacts.reach(second, 'running');
    expect(await flood.counts()).toEqual({ running: 4, pending: 6 });
    // Where nobody else wants them they are the flood's again, the oldest first.
    const [oldest] = await flood.of('pending');
    for (const other of [late, ...others]) {
      for (const id of await other.of('running')) await other.stop(id);
    }
    await flood.artifacts.reach(oldest!, 'running');
    await eventually(async () => expect(await flood.counts()).toEqual({ running: 6, pending: 4 }));
  });
});
