import { randomUUID } from 'node:crypto';
import { JobQueues, RedisConnections } from '@aos/messaging';
import { Metrics } from '@aos/platform';
import { startHelper, startService } from '@aos/service';
import {
  createTestDatabase,
  eventually,
  fixtureEntries,
  fixtureService,
  mendWidget,
  startServiceProcess,
  startTestClient,
  testConfig,
  testEnvironment,
  type TestClient,
  type TestDatabase,
} from '../src/index.js';

interface Mending {
  readonly attempt: number;
  readonly last_attempt: boolean;
  readonly replica: string;
}

describe('jobs', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  let client: TestClient;
  let queues: JobQueues;
  let stopWorkers: () => Promise<void>;

  beforeAll(async () => {
    database = await createTestDatabase([fixtureService]);
  });

  afterAll(async () => {
    await database?.drop();
  });

  beforeEach(() => {
    environment = testEnvironment({ DATABASE_URL: database.url, JOB_LOCK_MS: '1000' });
    client = startTestClient(environment);
    queues = new JobQueues(client.connections);
    stopWorkers = async () => undefined;
  });

  afterEach(async () => {
    await stopWorkers();
    await queues.close();
    client.close();
  });

  const startWorkers = async () => {
    const service = await startService(fixtureService, testConfig(environment));
    stopWorkers = () => service.close();
  };
  const mendings = (widgetId: string) =>
    database.query<Mending>(
      'SELECT attempt, last_attempt, replica FROM fixture.mending WHERE widget_id = $1 ORDER BY attempt',
      [widgetId],
    );
  const add = async (payload: { fail_times?: number; hold_ms?: number } = {}) => {
    const widgetId = randomUUID();
    await queues.add(mendWidget, { payload: { widget_id: widgetId, ...payload }, jobId: widgetId });
    return widgetId;
  };
  const stateOf = async (id: string) => (await queues.queue(mendWidget).getJob(id))?.getState();
  /** Does not wait for the declared delay. */
  const promote = async (id: string) => {
    await eventually(async () => expect(await stateOf(id)).toBe('delayed'));
    await (await queues.queue(mendWidget).getJob(id))!.promote();
  };

  it('are refused with a payload that is not as declared', async () => {
    const bad = queues.add(mendWidget, { payload: { widget_id: 'no id' } });
    await expect(bad).rejects.toThrow(/widget_id/);
    // @ts-expect-error -- the compiler knows the payload too
    await expect(queues.add(mendWidget, { payload: { fail_times: 1 } })).rejects.toThrow(/widget_id/);
    const mixed = queues.add(
      mendWidget,
      { payload: { widget_id: randomUUID() } },
      { payload: { widget_id: 'no id' } },
    );
    await expect(mixed).rejects.toThrow(/widget_id/);
    expect(await queues.queue(mendWidget).getJobCountByTypes('waiting', 'delayed', 'active')).toBe(0);
  });

  it('are run by the service that owns them', async () => {
    await startWorkers();
    const id = await add();
    await eventually(async () => {
      expect(await mendings(id)).toMatchObject([{ attempt: 1, last_attempt: false }]);
      expect(await stateOf(id)).toBe('completed');
    });
  });

  it('added before there is a worker wait for it', async () => {
    const ids = await Promise.all([add(), add(), add()]);
    expect(await queues.queue(mendWidget).getWaitingCount()).toBe(3);
    await startWorkers();
    for (const id of ids) await eventually(async () => expect(await mendings(id)).toHaveLength(1));
  });

  it('are tried again after the declared delays, and the last attempt knows that it is the last', async () => {
    await startWorkers();
    const id = await add({ fail_times: 2 });
    const delays: (number | undefined)[] = [];
    for (const _ of [1, 2]) {
      await eventually(async () => expect(await stateOf(id)).toBe('delayed'));
      delays.push((await queues.queue(mendWidget).getJob(id))?.delay);
      await promote(id);
    }
    await eventually(async () => expect(await stateOf(id)).toBe('completed'));
    // Twice the first delay would be more than the largest.
    expect(delays).toEqual([600_000, 1_000_000]);
    expect(await mendings(id)).toMatchObject([
      { attempt: 1, last_attempt: false },
      { attempt: 2, last_attempt: false },
      { attempt: 3, last_attempt: true },
    ]);
  });

  it('are kept as declared, completed and failed ones', async () => {
    await startWorkers();
    for (let index = 0; index < 5; index += 1) {
      const id = await add();
      await eventually(async () => expect(await mendings(id)).toHaveLength(1));
    }
    const queue = queues.queue(mendWidget);
    await eventually(async () => expect(await queue.getCompletedCount()).toBe(2));

    const failed: string[] = [];
    for (let index = 0; index < 2; index += 1) {
      const id = await add({ fail_times: 3 });
      await promote(id);
      await promote(id);
      await eventually(async () => expect(await stateOf(id)).toBe('failed'));
      expect(await mendings(id)).toHaveLength(3);
      failed.push(id);
    }
    expect((await queue.getFailed()).map((job) => job.id)).toEqual([failed[1]]);
  });

  it('are run again by another worker when theirs is killed', async () => {
    const victim = await startServiceProcess(fixtureEntries.fixture, environment);
    const id = await add({ hold_ms: 3000 });
    await eventually(async () => expect(await mendings(id)).toHaveLength(1));
    victim.signal('SIGKILL');
    await victim.exited;
    await startWorkers();
    await eventually(async () => expect(await stateOf(id)).toBe('completed'), { timeoutMs: 30_000 });
    const runs = await mendings(id);
    expect(new Set(runs.map(({ replica }) => replica)).size).toBe(2);
  });

  it('that come at an interval are declared once, however often that is said', async () => {
    const template = { everyMs: 3_600_000, payload: { widget_id: randomUUID() } };
    await Promise.all([queues.repeat(mendWidget, template), queues.repeat(mendWidget, template)]);
    await queues.repeat(mendWidget, template);
    expect(await queues.queue(mendWidget).getJobSchedulersCount()).toBe(1);
    await startWorkers();
    await eventually(async () => {
      expect(await mendings(template.payload.widget_id)).toMatchObject([{ attempt: 1 }]);
    });
    await expect(
      queues.repeat(mendWidget, { everyMs: 1000, payload: { widget_id: 'no id' } }),
    ).rejects.toThrow(/widget_id/);
  });

  it('under way are finished before a worker ends', async () => {
    const worker = await startServiceProcess(fixtureEntries.fixture, environment);
    const id = await add({ hold_ms: 1500 });
    await eventually(async () => expect(await mendings(id)).toHaveLength(1));
    await worker.stop();
    expect(await worker.exited).toBe(0);
    expect(await stateOf(id)).toBe('completed');
  });

  it('are counted by state, and the oldest that waits tells its age', async () => {
    const queue = queues.queue(mendWidget);
    await queue.obliterate({ force: true });
    await queue.pause();
    const old = Date.now() - 600_000;
    await queue.add(mendWidget.name, { widget_id: randomUUID() }, { timestamp: old });
    await add();
    await queues.add(mendWidget, { payload: { widget_id: randomUUID() }, delayMs: 3_600_000 });
    await queue.resume();
    // A process that works on no jobs, so that they stay where they are.
    const service = await startHelper(fixtureService, testConfig(environment));
    try {
      await service.app.get(RedisConnections).jobs.ping();
      const text = await service.app.get(Metrics).text();
      const value = (name: string, labels: string) =>
        Number(new RegExp(`^${name}\\{${labels}[^}]*\\} (.+)$`, 'm').exec(text)?.[1]);
      const count = (state: string) =>
        value('bullmq_job_count', `queue="${mendWidget.name}",state="${state}"`);
      expect([count('waiting'), count('delayed'), count('active')]).toEqual([2, 1, 0]);
      const age = value('aos_job_oldest_waiting_seconds', `queue="${mendWidget.name}"`);
      expect(age).toBeGreaterThanOrEqual(600);
      expect(age).toBeLessThan(3600);
    } finally {
      await service.close();
      await queue.obliterate({ force: true });
    }
  });
});
