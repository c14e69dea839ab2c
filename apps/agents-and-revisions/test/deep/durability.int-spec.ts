import {
  buildPublished,
  contractTable,
  createAgent,
  createRevision,
  createSchedule,
  promoteRevision,
  type Operation,
  type TypedBusEvent,
} from '@aos/contracts';
import { Consumes } from '@aos/events';
import { Transactions } from '@aos/persistence';
import {
  defineService,
  loadServiceConfig,
  serviceConfigSchema,
  startService,
  type RunningService,
} from '@aos/service';
import {
  appEntry,
  createTestDatabase,
  eventually,
  startEmbedded,
  startServiceProcess,
  startTestClient,
  testEnvironment,
  waitingSessions,
  type EmbeddedStores,
  type ServiceProcess,
  type TestClient,
  type TestDatabase,
} from '@aos/testing';
import { Inject, Injectable, Module } from '@nestjs/common';
import pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { service } from '../../src/index.js';

@Injectable()
class Watcher {
  constructor(@Inject(Transactions) private readonly transactions: Transactions) {}

  @Consumes(buildPublished)
  async published(events: readonly TypedBusEvent<typeof buildPublished>[]): Promise<void> {
    for (const { data } of events) {
      await this.transactions.query('INSERT INTO seen (build_id) VALUES ($1)', [data.build_id]);
    }
  }
}

@Module({ providers: [Watcher] })
class WatcherModule {}

/** A service that follows the public event, as others will. */
const watcher = defineService({
  name: 'watcher',
  table: {
    ...contractTable,
    events: contractTable.events.map((event) =>
      event.name === buildPublished.name ? { ...event, consumers: ['watcher'] } : event,
    ),
  },
  model: { entities: [], tables: [] },
  modules: [WatcherModule],
});

const tables = defineService({ name: service.name, model: service.model, modules: [] });

describe('what was accepted is done, once', () => {
  let stores: EmbeddedStores;
  let database: TestDatabase;
  let environment: Record<string, string>;
  let client: TestClient;
  let agents: ServiceProcess;
  const teamId = uuidv7();

  beforeAll(async () => {
    stores = await startEmbedded();
    database = await createTestDatabase([tables, watcher], stores.databaseUrl);
    environment = testEnvironment({
      DATABASE_URL: database.url,
      REDIS_URL: stores.redisUrl,
      RPC_TIMEOUT_MS: '4000',
    });
    client = startTestClient(environment);
    agents = await startAgentsProcess();
  });

  afterAll(async () => {
    client?.close();
    await agents?.stop();
    await database?.drop();
    await stores?.stop();
  });

  const startAgentsProcess = () => startServiceProcess(appEntry('agents-and-revisions'), environment);

  async function call(operation: Operation, params: Record<string, string>, key?: string) {
    const principal = { kind: 'api_key', credentialId: uuidv7(), teamId, scopes: ['*'] } as const;
    const envelope = { principal, params, query: {}, body: {}, idempotencyKey: key };
    const answer = await client.services.callOperation(operation, envelope);
    return { ...answer, json: JSON.parse(answer.body) as Record<string, string> };
  }

  const countAgents = async () =>
    Number(
      (await database.query<{ count: string }>('SELECT count(*) FROM agents_and_revisions.agent'))[0]!.count,
    );

  it('createAgent, killed between commit and answer, answers the first effect to the retry', async () => {
    await call(createAgent, { teamId });
    const before = await countAgents();
    const key = uuidv7();
    // The counter's row is held, so that the request stands just before its end.
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query('BEGIN');
    await blocker.query(
      'UPDATE agents_and_revisions.team_agent_count SET agents = agents WHERE team_id = $1',
      [teamId],
    );
    const lost = call(createAgent, { teamId }, key).catch((error: { code: string }) => error.code);
    await eventually(async () => expect(await waitingSessions(database)).toBe(1));
    // Redis goes, so that no answer can leave; then the commit; then the process.
    await stores.redis.stop();
    await blocker.query('ROLLBACK');
    await blocker.end();
    await eventually(async () => expect(await countAgents()).toBe(before + 1));
    agents.signal('SIGKILL');
    await agents.exited;
    expect(await lost).toBe('unavailable');
    await stores.redis.start();
    agents = await startAgentsProcess();
    const again = await call(createAgent, { teamId }, key);
    expect(again).toMatchObject({ status: 201, replayed: true });
    expect(await countAgents()).toBe(before + 1);
  });

  it('createAgent, killed at any moment and repeated with its key, makes one agent for a key', async () => {
    const before = await countAgents();
    const keys = Array.from({ length: 30 }, () => uuidv7());
    const attempts = keys.map((key) => call(createAgent, { teamId }, key).catch(() => undefined));
    await Promise.race(attempts);
    agents.signal('SIGKILL');
    await agents.exited;
    agents = await startAgentsProcess();
    await Promise.all(attempts);
    for (const key of keys) {
      await eventually(async () => expect((await call(createAgent, { teamId }, key)).status).toBe(201));
    }
    expect(await countAgents()).toBe(before + keys.length);
  });

  it('a published revision reaches a consumer once although Redis was emptied in between', async () => {
    const { json: agent } = await call(createAgent, { teamId });
    const { json: draft } = await call(createRevision, { agent_id: agent['agent_id']! });
    await call(promoteRevision, { build_id: draft['build_id']! });
    await client.connections.shared.flushall();
    await database.query('CREATE TABLE watcher.seen (build_id uuid NOT NULL)');
    const running: RunningService = await startService(
      watcher,
      loadServiceConfig('watcher', serviceConfigSchema, environment),
    );
    try {
      const seen = () => database.query('SELECT build_id FROM watcher.seen');
      await eventually(async () => expect(await seen()).toEqual([{ build_id: draft['build_id'] }]));
      await client.connections.shared.flushall();
      await call(promoteRevision, {
        build_id: (await call(createRevision, { agent_id: agent['agent_id']! })).json['build_id']!,
      });
      await eventually(async () => expect(await seen()).toHaveLength(2));
    } finally {
      await running.close();
    }
  });

  it('a schedule fires once although Redis was emptied in between', async () => {
    const { json: agent } = await call(createAgent, { teamId });
    const { json: schedule } = await call(createSchedule, { agent_id: agent['agent_id']! });
    await client.connections.shared.flushall();
    await database.query(
      `UPDATE agents_and_revisions.schedule SET next_run_at = now() - interval '1 hour' WHERE id = $1`,
      [schedule['id']],
    );
    const firings = () =>
      database.query(
        `SELECT id FROM agents_and_revisions.logged_event
          WHERE event = 'schedule.fired' AND data->>'schedule_id' = $1`,
        [schedule['id']],
      );
    await eventually(async () => expect(await firings()).toHaveLength(1), { timeoutMs: 30_000 });
    await client.connections.shared.flushall();
    await eventually(async () => {
      const [row] = await database.query<{ due: boolean }>(
        'SELECT next_run_at <= now() AS due FROM agents_and_revisions.schedule WHERE id = $1',
        [schedule['id']],
      );
      expect(row).toEqual({ due: false });
    });
    expect(await firings()).toHaveLength(1);
  });
});
