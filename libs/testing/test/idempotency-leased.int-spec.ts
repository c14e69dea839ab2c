import { randomUUID } from 'node:crypto';
import type { OperationAnswer } from '@aos/contracts';
import { startService, type RunningService } from '@aos/service';
import {
  createTestDatabase,
  eventually,
  fixtureEntries,
  fixtureService,
  importWidget,
  startServiceProcess,
  startTestClient,
  testConfig,
  testEnvironment,
  waitingSessions,
  type TestClient,
  type TestDatabase,
} from '../src/index.js';
import { idleInTransaction, openTransaction } from './blocking-session.js';
import { callOperation, countWidgets, resultOf } from './fixture-calls.js';

describe('Idempotency-Key of an operation that calls out', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  let service: RunningService;
  let client: TestClient;

  beforeAll(async () => {
    database = await createTestDatabase([fixtureService]);
    environment = testEnvironment({ DATABASE_URL: database.url });
    service = await startService(fixtureService, testConfig(environment));
    client = startTestClient(environment);
  });

  afterAll(async () => {
    client?.close();
    await service?.close();
    await database?.drop();
  });

  beforeEach(async () => {
    await database.query('DELETE FROM fixture.idempotency_record');
  });

  const ask = (body: object, key?: string) => callOperation(client.services, importWidget, body, { key });
  const codeOf = (answer: OperationAnswer) => (JSON.parse(answer.body) as { error?: string }).error;
  const leases = () =>
    database.query<{ status: number | null }>(
      'SELECT status FROM fixture.idempotency_record WHERE lease_until > now()',
    );
  const expireLease = () => database.query('UPDATE fixture.idempotency_record SET lease_until = now()');

  it('is under way while the call is, and replays after', async () => {
    const key = randomUUID();
    const before = await countWidgets(database);
    const first = ask({ call_ms: 1000 }, key);
    await eventually(async () => expect(await leases()).toHaveLength(1));
    const meanwhile = await ask({ call_ms: 1000 }, key);
    expect(meanwhile).toMatchObject({ status: 409, retryAfterSeconds: 1 });
    expect(codeOf(meanwhile)).toBe('idempotency_in_progress');
    const conflicting = await ask({ call_ms: 999 }, key);
    expect(codeOf(conflicting)).toBe('idempotency_conflict');
    // No transaction is open during the call.
    expect(await idleInTransaction(database)).toBe(0);

    const answer = await first;
    expect(answer).toMatchObject({ status: 201 });
    expect(await ask({ call_ms: 1000 }, key)).toEqual({ ...answer, replayed: true });
    expect(await countWidgets(database)).toBe(before + 1);
    expect(await leases()).toHaveLength(0);
  });

  it.each(['refused', 'refused_at_commit'])(
    'keeps a refusal (%s) and leaves nothing of it',
    async (outcome) => {
      const key = randomUUID();
      const before = await countWidgets(database);
      const first = await ask({ outcome }, key);
      expect(first.status).toBe(409);
      expect(await ask({ outcome }, key)).toEqual({ ...first, replayed: true });
      expect(await countWidgets(database)).toBe(before);
    },
  );

  it('keeps a request that is not valid', async () => {
    const key = randomUUID();
    const first = await ask({ call_ms: 'long' }, key);
    expect(first.status).toBe(400);
    expect(await ask({ call_ms: 'long' }, key)).toEqual({ ...first, replayed: true });
  });

  it('frees the key at once after a fault of ours', async () => {
    const key = randomUUID();
    expect(await ask({ outcome: 'unavailable' }, key)).toMatchObject({ status: 503 });
    expect(await database.query('SELECT 1 FROM fixture.idempotency_record')).toEqual([]);
    expect(await ask({}, key)).toMatchObject({ status: 201 });
  });

  it('frees the key when the lease of a process that died has run out', async () => {
    const own = testEnvironment({ DATABASE_URL: database.url, RPC_TIMEOUT_MS: '5000' });
    const caller = startTestClient(own);
    const victim = await startServiceProcess(fixtureEntries.fixture, own);
    const key = randomUUID();
    const body = { call_ms: 3000 };
    const before = await countWidgets(database);
    try {
      const lost = resultOf(callOperation(caller.services, importWidget, body, { key }));
      await eventually(async () => expect(await leases()).toHaveLength(1));
      victim.signal('SIGKILL');
      await victim.exited;
      expect(await ask(body, key)).toMatchObject({ status: 409 });

      await expireLease();
      const answer = await ask(body, key);
      expect(answer).toMatchObject({ status: 201 });
      expect(answer.replayed).toBeUndefined();
      expect(await lost).toBe('unavailable');
      expect(await countWidgets(database)).toBe(before + 1);
    } finally {
      caller.close();
    }
  });

  it('has no effect when the lease went to another in between', async () => {
    const key = randomUUID();
    const before = await countWidgets(database);
    const slow = ask({ call_ms: 2000 }, key);
    await eventually(async () => expect(await leases()).toHaveLength(1));
    await expireLease();
    const quick = ask({ call_ms: 2000 }, key);
    const answers = await Promise.all([slow, quick]);
    // The first finds that its lease is gone; it tells to try again, and that gives the second's answer.
    expect(answers.map(({ status }) => status)).toEqual([409, 201]);
    expect(codeOf(answers[0])).toBe('idempotency_in_progress');
    expect(await ask({ call_ms: 2000 }, key)).toEqual({ ...answers[1], replayed: true });
    expect(await countWidgets(database)).toBe(before + 1);
  });

  it('has one effect when its lease has run out and another request comes just as it commits', async () => {
    const key = randomUUID();
    const before = await countWidgets(database);
    const gate = await openTransaction(database);
    await gate.query('LOCK TABLE fixture.widget IN EXCLUSIVE MODE');
    const first = ask({ call_ms: 500 }, key);
    try {
      await eventually(async () => expect(await leases()).toHaveLength(1));
      await expireLease();
      // Now it is about to write the widget and the record.
      await eventually(async () => expect(await waitingSessions(database)).toBe(1));
      const second = await ask({ call_ms: 500 }, key);
      expect(codeOf(second)).toBe('idempotency_in_progress');
    } finally {
      await gate.rollback();
    }
    const answer = await first;
    expect(answer).toMatchObject({ status: 201 });
    expect(await ask({ call_ms: 500 }, key)).toEqual({ ...answer, replayed: true });
    expect(await countWidgets(database)).toBe(before + 1);
  });

  it('needs no key', async () => {
    const before = await countWidgets(database);
    expect(await ask({})).toMatchObject({ status: 201 });
    expect(await ask({})).toMatchObject({ status: 201 });
    expect(await countWidgets(database)).toBe(before + 2);
    expect(await database.query('SELECT 1 FROM fixture.idempotency_record')).toEqual([]);
  });
});
