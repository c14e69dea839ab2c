import { RpcServer } from '@aos/messaging';
import { startService, type RunningService } from '@aos/service';
import {
  createTestDatabase,
  createWidget,
  eventually,
  fixtureConsumerService,
  fixtureEntries,
  fixtureService,
  startEmbedded,
  startServiceProcess,
  startTestClient,
  testConfig,
  testEnvironment,
  type EmbeddedStores,
  type ServiceProcess,
  type TestClient,
  type TestDatabase,
} from '../../src/index.js';
import { having, makeWidgets, principal } from '../fixture-calls.js';
import { allSeenOnce, seenPositions } from '../seen-events.js';

describe('events when Redis loses them', () => {
  let stores: EmbeddedStores;
  let database: TestDatabase;
  let environment: Record<string, string>;
  let client: TestClient;
  let service: RunningService;
  let consumer: ServiceProcess | undefined;

  beforeAll(async () => {
    stores = await startEmbedded();
  });

  afterAll(async () => {
    await stores?.stop();
  });

  beforeEach(async () => {
    database = await createTestDatabase([fixtureService, fixtureConsumerService], stores.databaseUrl);
    environment = testEnvironment({
      DATABASE_URL: database.url,
      REDIS_URL: stores.redisUrl,
      RPC_TIMEOUT_MS: '3000',
    });
    client = startTestClient(environment);
    service = await startService(fixtureService, testConfig(environment));
    consumer = undefined;
  });

  afterEach(async () => {
    client.close();
    consumer?.signal('SIGKILL');
    await consumer?.exited;
    await service.close();
    await database.drop();
  });

  const consume = async () => {
    consumer = await startServiceProcess(fixtureEntries['fixture-consumer'], environment);
    return consumer;
  };
  const make = (count: number, prefix: string) => makeWidgets(client.services, { count, atOnce: 10, prefix });
  /** How many events lie in Redis; an entry of the stream holds several. */
  const published = async () => {
    const entries = await client.connections.shared.xrange(
      client.connections.key('events', 'fixture'),
      '-',
      '+',
    );
    return entries.flatMap(([, fields]) => JSON.parse(fields[1]!) as unknown[]).length;
  };

  it('reach a consumer that starts after FLUSHALL', async () => {
    await make(20, 'early');
    await eventually(async () => expect(await published()).toBe(20));
    await client.connections.shared.flushall();
    await consume();
    await allSeenOnce(database, 20);
  });

  it('reach a running consumer that FLUSHALL has overtaken', async () => {
    const running = await consume();
    await make(5, 'before');
    await allSeenOnce(database, 5);
    running.signal('SIGSTOP');
    await make(30, 'while-stopped');
    await eventually(async () => expect(await published()).toBe(35));
    await client.connections.shared.flushall();
    running.signal('SIGCONT');
    await allSeenOnce(database, 35);
    await make(5, 'after');
    await allSeenOnce(database, 40);
  });

  describe('on their way to a consumer to which nothing else comes', () => {
    const jest = import.meta.jest;
    const now = performance.now.bind(performance);
    let quiet: RunningService;
    /** How far the clock by which a process knows that nothing came is ahead. Never set back: loops measure by it. */
    let aheadMs = 0;

    beforeAll(() => {
      jest.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
    });

    beforeEach(async () => {
      quiet = await startService(fixtureConsumerService, testConfig(environment));
      await make(1, 'before');
      await allSeenOnce(database, 1);
      aheadMs += 60_000;
      await pulledOnceMore();
    });

    afterEach(async () => {
      await quiet.close();
    });

    /** After that it has no reason to pull for half a minute. */
    const pulledOnceMore = async () => {
      const lease = async () => {
        const [row] = await database.query<{ lease_until: Date }>(
          'SELECT lease_until FROM fixture_consumer.event_position',
        );
        return row!.lease_until.getTime();
      };
      const before = await lease();
      await eventually(async () => expect(await lease()).toBeGreaterThan(before), { timeoutMs: 20_000 });
    };
    /** As if its owner had died before it told Redis. */
    const recordUnpublished = () =>
      database.query(`
        WITH head AS (UPDATE fixture.outbox_head SET position = position + 1 RETURNING position),
          batch AS (
            INSERT INTO fixture.outbox_batch (id, size, after)
            SELECT nextval('fixture.outbox_batch_id_seq'), 1, position - 1 FROM head RETURNING id)
        INSERT INTO fixture.logged_event (batch_id, place, id, event, team_id, data, meta, created_at)
        SELECT batch.id, 1, gen_random_uuid(), event, team_id, data, meta, now()
          FROM fixture.logged_event, batch`);

    it('are pulled as soon as its connection is a new one', async () => {
      await recordUnpublished();
      const { shared } = client.connections;
      const list = (await shared.client('LIST')) as string;
      const [, id] = /id=(\d+) [^\n]*reader-fixture-consumer/.exec(list)!;
      await shared.client('KILL', 'ID', Number(id));
      await allSeenOnce(database, 2);
    });

    it('are pulled as soon as it finds the streams gone', async () => {
      await recordUnpublished();
      await client.connections.shared.flushall();
      await allSeenOnce(database, 2);
    });
  });

  it('are seen once each under load with one FLUSHALL after another', async () => {
    await consume();
    const outcomes = await makeWidgets(client.services, {
      count: 300,
      atOnce: 10,
      onDone: (done) => {
        if (done % 50 === 25) void client.connections.shared.flushall();
      },
    });
    expect(having(outcomes, 201).length).toBeGreaterThan(200);
    const [{ count }] = (await database.query<{ count: number }>(
      'SELECT count(*)::int FROM fixture.widget',
    )) as [{ count: number }];
    await allSeenOnce(database, count);
  });

  it('are committed without Redis, and seen once when it is back', async () => {
    const running = await consume();
    await make(3, 'before');
    await allSeenOnce(database, 3);
    await stores.redis.kill();
    const server = service.app.get(RpcServer);
    for (let index = 0; index < 5; index += 1) {
      const envelope = { principal, params: {}, query: {}, body: { name: `away${index}` } };
      expect(await server.handleLocally(createWidget, envelope)).toMatchObject({ status: 201 });
    }
    expect(await seenPositions(database)).toEqual([1, 2, 3]);
    await stores.redis.start();
    await allSeenOnce(database, 8, { timeoutMs: 30_000 });
    expect(having(await make(3, 'back'), 201)).toHaveLength(3);
    await allSeenOnce(database, 11);
    expect(running.output()).toBe('');
  });
});
