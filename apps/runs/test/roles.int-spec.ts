import { getRun, takeRuns } from '@aos/contracts';
import { JobQueues } from '@aos/messaging';
import { ConfigError } from '@aos/platform';
import { loadServiceConfig } from '@aos/service';
import { eventually } from '@aos/testing';
import { service } from '../src/index.js';
import { startReplica, startRuns, startWorker, type RunsUnderTest } from './runs-under-test.js';

describe('a replica that serves', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    runs = await startRuns({ environment: { RUN_WORKERS: 'serve' } });
  });

  afterAll(() => runs.stop());

  it('leaves what it stores to a worker', async () => {
    const agentId = await runs.agent(['say Hello', 'finish Done']);
    const { id } = await runs.start(agentId);
    const queue = runs.running.app.get(JobQueues).queue(takeRuns);
    await eventually(async () => expect(await queue.getWaitingCount()).toBe(1));
    expect((await runs.show(id)).run).toMatchObject({ status: 'pending', started_at: null });
    const [row] = await runs.database.query<{ lease_token: string | null }>(
      'SELECT lease_token FROM runs.run WHERE id = $1',
      [id],
    );
    expect(row).toEqual({ lease_token: null });
    expect(await queue.getWaitingCount()).toBe(1);

    const worker = await startWorker({ ...runs.environment, RUN_WORKERS: 'work' });
    try {
      const { run } = await runs.reach(id, 'completed');
      expect(run).toMatchObject({ result: 'Done', usage: { steps: 2 } });
      expect(await runs.events(id)).toContain('run.completed');
      const second = await runs.start(agentId);
      await runs.reach(second.id, 'completed');
    } finally {
      await worker.stop();
    }
  });
});

describe('a replica that works', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    runs = await startRuns({ environment: { RUN_WORKERS: 'work', RPC_TIMEOUT_MS: '3000' } });
  });

  afterAll(() => runs.stop());

  it('answers no requests; one that serves does', async () => {
    const wanted = { params: { run_id: runs.teamId } };
    await expect(runs.call(getRun, wanted)).rejects.toThrow('The runs service did not answer in time.');

    const serving = await startReplica({ ...runs.environment, RUN_WORKERS: 'serve' });
    try {
      expect((await runs.call(getRun, wanted)).status).toBe(404);
      const { id } = await runs.start(await runs.agent(['finish Done']));
      await runs.reach(id, 'completed');
    } finally {
      await serving.close();
    }
  });

  it('is told so by one of three words, and how many runs it takes by a number', () => {
    const load = (settings: Record<string, string | undefined>) =>
      loadServiceConfig(service.name, service.configSchema, { ...runs.environment, ...settings });
    expect(() => load({ RUN_WORKERS: 'none' })).toThrow(ConfigError);
    expect(() => load({ RUN_WORKERS: 'none' })).toThrow('RUN_WORKERS: must be both, serve or work');
    expect(() => load({ RUN_CONCURRENCY: '0' })).toThrow('RUN_CONCURRENCY');
    expect(load({ RUN_WORKERS: undefined })).toMatchObject({ RUN_WORKERS: 'both', RUN_CONCURRENCY: 128 });
  });
});
