import { randomUUID } from 'node:crypto';
import { startService, type RunningService } from '@aos/service';
import {
  createTestDatabase,
  createWidget,
  eventually,
  fixtureService,
  sealWidget,
  startRedisMonitor,
  startTestClient,
  testConfig,
  testEnvironment,
  type RedisMonitor,
  type TestClient,
  type TestDatabase,
} from '../src/index.js';
import { callOperation } from './fixture-calls.js';

describe('secrets on their way', () => {
  let database: TestDatabase;
  let service: RunningService;
  let client: TestClient;
  let monitor: RedisMonitor;

  beforeAll(async () => {
    database = await createTestDatabase([fixtureService]);
    const environment = testEnvironment({ DATABASE_URL: database.url });
    monitor = await startRedisMonitor(environment['REDIS_URL']!);
    service = await startService(fixtureService, testConfig(environment));
    client = startTestClient(environment);
  });

  afterAll(async () => {
    monitor?.stop();
    client?.close();
    await service?.close();
    await database?.drop();
  });

  it('are never readable in Redis nor in a stored answer, and arrive', async () => {
    const token = `secret-${randomUUID()}`;
    const open = `open-${randomUUID()}`;
    const params = { widgetId: randomUUID() };
    const key = 'seal-once';
    const first = await callOperation(client.services, sealWidget, { token }, { params, key });
    expect(JSON.parse(first.body)).toEqual({ token });
    await callOperation(client.services, createWidget, { name: open }, { key: 'open' });

    const replay = await callOperation(client.services, sealWidget, { token }, { params, key });
    expect(replay).toMatchObject({ status: 200, body: first.body, replayed: true });

    const [stored] = await database.query<{ body: string }>(
      `SELECT body FROM fixture.idempotency_record WHERE operation_id = 'sealWidget'`,
    );
    expect(stored!.body).not.toContain(token);
    /** Every command that any client has sent to Redis, in plain text. */
    const commands = () => monitor.commands.map((command) => command.join(' '));
    // What is no secret shows that the watcher sees both ways, and that plain text would be found.
    await eventually(() => {
      const seen = commands().filter((command) => command.includes(open));
      expect(seen.some((command) => /^xadd/i.test(command))).toBe(true);
      expect(seen.some((command) => /^publish/i.test(command))).toBe(true);
    });
    expect(commands().some((command) => /^xadd/i.test(command) && command.includes('sealWidget'))).toBe(true);
    expect(commands().filter((command) => command.includes(token))).toEqual([]);
  });
});
