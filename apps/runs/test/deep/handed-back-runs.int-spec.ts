import {
  createProductDatabase,
  eventually,
  startTestClient,
  testEnvironment,
  type TestDatabase,
} from '@aos/testing';
import { runsClient, startAgentsService, startReplica } from '../runs-under-test.js';
import { agentWith } from '../tools-under-test.js';

describe('a run that needs a service which is away', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;

  beforeAll(async () => {
    database = await createProductDatabase();
    environment = testEnvironment({
      DATABASE_URL: database.url,
      RPC_TIMEOUT_MS: '500',
      RUN_LEASE_MS: '3000',
    });
  });

  afterAll(() => database?.drop());

  const row = async (runId: string) => {
    const [found] = await database.query<{ status: string; takeovers: number; times: number }>(
      'SELECT status, takeovers, dispatches AS times FROM runs.run WHERE id = $1',
      [runId],
    );
    return found!;
  };

  it('is handed back for longer and longer, loses no worker by that, and goes on when it is there', async () => {
    const client = startTestClient(environment);
    const runs = runsClient(client.services, database);
    const [agents, serving] = await Promise.all([
      startAgentsService(environment),
      startReplica({ ...environment, RUN_WORKERS: 'serve' }),
    ]);
    const helper = await runs.agent(['finish Hello']);
    // Its sub-agents are looked up when it begins.
    const agentId = await agentWith(runs, ['finish done'], { sub_agents: [helper] });
    const { id } = await runs.start(agentId);
    await agents.close();

    const working = await startReplica({ ...environment, RUN_WORKERS: 'work' });
    await eventually(async () => expect((await row(id)).times).toBeGreaterThanOrEqual(3), {
      timeoutMs: 40_000,
    });
    expect(await row(id)).toMatchObject({ status: 'running', takeovers: 0 });

    const again = await startAgentsService(environment);
    try {
      expect((await runs.reach(id, 'completed')).run.result).toBe('done');
      expect(await row(id)).toMatchObject({ takeovers: 0 });
    } finally {
      client.close();
      await Promise.all([again.close(), serving.close(), working.close()]);
    }
  });
});
