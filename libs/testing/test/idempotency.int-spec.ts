import { randomUUID } from 'node:crypto';
import { startService, type RunningService } from '@aos/service';
import {
  createTestDatabase,
  createWidget,
  eventually,
  fixtureEntries,
  fixtureService,
  getWidget,
  sealWidget,
  startServiceProcess,
  startTestClient,
  testConfig,
  testEnvironment,
  type TestClient,
  type TestDatabase,
} from '../src/index.js';
import { heldAdvisoryLocks } from './blocking-session.js';
import { callOperation, countWidgets, resultOf, widgetsByName, type CallOptions } from './fixture-calls.js';

describe('Idempotency-Key', () => {
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

  const create = (body: unknown, options: CallOptions = {}) =>
    callOperation(client.services, createWidget, body, options);
  const records = () =>
    database
      .query<{ status: number }>('SELECT status FROM fixture.idempotency_record')
      .then((rows) => rows.length);

  it('gives the first answer again, byte for byte', async () => {
    const key = randomUUID();
    const first = await create({ name: 'replayed "ü😀"' }, { key });
    expect(first).toMatchObject({ status: 201 });
    expect(first.replayed).toBeUndefined();
    const second = await create({ name: 'replayed "ü😀"' }, { key });
    expect(second).toEqual({ ...first, replayed: true });
    expect((await widgetsByName(database)).get('replayed "ü😀"')).toBe(1);
  });

  it('refuses another body, and keeps the first answer', async () => {
    const key = randomUUID();
    const first = await create({ name: 'one' }, { key });
    const other = await create({ name: 'another' }, { key });
    expect(other.status).toBe(409);
    expect(JSON.parse(other.body)).toMatchObject({ error: 'idempotency_conflict' });
    expect(await create({ name: 'one' }, { key })).toEqual({ ...first, replayed: true });
    expect((await widgetsByName(database)).has('another')).toBe(false);
  });

  it('does not mind the order of fields, nor an empty body in place of none', async () => {
    const key = randomUUID();
    const first = await create(
      { name: 'ordered', hold_ms: 0, extra: { a: 1, b: [{ c: 2, d: 3 }] } },
      { key },
    );
    const again = await create(
      { extra: { b: [{ d: 3, c: 2 }], a: 1 }, hold_ms: 0, name: 'ordered' },
      { key },
    );
    expect(again).toEqual({ ...first, replayed: true });
    const swapped = await create(
      { extra: { b: [{ d: 2, c: 3 }], a: 1 }, hold_ms: 0, name: 'ordered' },
      { key },
    );
    expect(swapped.status).toBe(409);

    const empty = randomUUID();
    const none = await create(undefined, { key: empty });
    expect(await create({}, { key: empty })).toEqual({ ...none, replayed: true });
  });

  it('is another key in another team, operation or path', async () => {
    const key = randomUUID();
    const mine = await create({ name: 'mine' }, { key });
    const theirs = await create({ name: 'theirs' }, { key, teamId: randomUUID() });
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.replayed).toBeUndefined();

    const seal = (widgetId: string) =>
      callOperation(client.services, sealWidget, { token: widgetId }, { key, params: { widgetId } });
    const [here, there] = [randomUUID(), randomUUID()];
    expect(await seal(here)).toMatchObject({ status: 200, body: JSON.stringify({ token: here }) });
    expect(await seal(there)).toMatchObject({ status: 200, body: JSON.stringify({ token: there }) });
    expect(await seal(here)).toMatchObject({ body: JSON.stringify({ token: here }), replayed: true });
  });

  it('makes one thing of 100 requests at once, also at two replicas', async () => {
    const replica = await startServiceProcess(fixtureEntries.fixture, environment);
    try {
      const key = randomUUID();
      const ask = () => create({ name: 'the only one', hold_ms: 100 }, { key });
      const answers = await Promise.all(Array.from({ length: 100 }, ask));
      const made = answers.filter(({ status, replayed }) => status === 201 && !replayed);
      const refused = answers.filter(({ status }) => status === 409);
      expect(made).toHaveLength(1);
      for (const answer of answers.filter(({ replayed }) => replayed)) {
        expect(answer).toEqual({ ...made[0], replayed: true });
      }
      for (const answer of refused) {
        expect(answer.retryAfterSeconds).toBe(1);
        expect(JSON.parse(answer.body)).toMatchObject({ error: 'idempotency_in_progress' });
      }
      expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
      expect((await widgetsByName(database)).get('the only one')).toBe(1);
      expect(await ask()).toEqual({ ...made[0], replayed: true });
    } finally {
      await replica.stop();
    }
  });

  it('keeps a refusal, and undoes what was written before it', async () => {
    const key = randomUUID();
    const before = await countWidgets(database);
    const first = await create({ name: 'too many', fail: 'limit_reached' }, { key });
    expect(first.status).toBe(409);
    expect(await create({ name: 'too many', fail: 'limit_reached' }, { key })).toEqual({
      ...first,
      replayed: true,
    });
    expect(await countWidgets(database)).toBe(before);
    const events = await database.query(
      `SELECT 1 FROM fixture.logged_event WHERE data->>'name' = 'too many'`,
    );
    expect(events).toEqual([]);
  });

  it('keeps a request that is not valid', async () => {
    const key = randomUUID();
    const first = await create({ name: 7 }, { key });
    expect(first.status).toBe(400);
    expect(JSON.parse(first.body)).toMatchObject({ error: 'invalid_request' });
    expect(await create({ name: 7 }, { key })).toEqual({ ...first, replayed: true });
    expect((await create({ name: 'seven' }, { key })).status).toBe(409);
  });

  it.each(['unavailable', 'crash'])('does not keep what is our fault: %s', async (fail) => {
    const key = randomUUID();
    const kept = await records();
    const before = await countWidgets(database);
    const expected = fail === 'crash' ? 'internal_error' : 503;
    expect(await resultOf(create({ fail }, { key }))).toBe(expected);
    expect(await resultOf(create({ fail }, { key }))).toBe(expected);
    expect(await records()).toBe(kept);
    expect(await countWidgets(database)).toBe(before);
    // The key is still free, also for another body.
    expect(await create({}, { key })).toMatchObject({ status: 201 });
  });

  it('answers the first effect after a crash between commit and answer', async () => {
    // The other replica could take the request: only the one that will crash may be there.
    const own = testEnvironment({ DATABASE_URL: database.url, RPC_TIMEOUT_MS: '2000' });
    const caller = startTestClient(own);
    const victim = await startServiceProcess(fixtureEntries.fixture, own);
    const key = randomUUID();
    const body = { name: 'survivor', crash_after_commit: true };
    const ask = () => callOperation(caller.services, createWidget, body, { key });
    try {
      expect(await resultOf(ask())).toBe('unavailable');
      expect(await victim.exited).toBeNull();
      const [row] = await database.query<{ id: string }>(
        `SELECT id FROM fixture.widget WHERE name = 'survivor'`,
      );

      const replica = await startServiceProcess(fixtureEntries.fixture, own);
      try {
        const answer = await ask();
        expect(answer).toMatchObject({ status: 201, replayed: true });
        expect(JSON.parse(answer.body)).toMatchObject({ widget_id: row!.id });
        expect(await ask()).toEqual(answer);
        expect((await widgetsByName(database)).get('survivor')).toBe(1);
      } finally {
        await replica.stop();
      }
    } finally {
      caller.close();
    }
  });

  it('frees the key when the process dies before the commit', async () => {
    const own = testEnvironment({ DATABASE_URL: database.url, RPC_TIMEOUT_MS: '4000' });
    const caller = startTestClient(own);
    const victim = await startServiceProcess(fixtureEntries.fixture, own);
    const key = randomUUID();
    try {
      const body = { name: 'unborn', hold_ms: 20_000 };
      const lost = resultOf(callOperation(caller.services, createWidget, body, { key }));
      await eventually(async () => expect(await heldAdvisoryLocks(database)).toBe(1));
      victim.signal('SIGKILL');
      await victim.exited;
      await eventually(async () => expect(await heldAdvisoryLocks(database)).toBe(0));
      expect(await create({ name: 'born' }, { key })).toMatchObject({ status: 201 });
      expect(await lost).toBe('unavailable');
      expect((await widgetsByName(database)).has('unborn')).toBe(false);
    } finally {
      caller.close();
    }
  });

  it('forgets after its time', async () => {
    const key = randomUUID();
    const first = await create({ name: 'forgotten' }, { key });
    const [kept] = await database.query<{ hours: number }>(
      `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours
         FROM fixture.idempotency_record ORDER BY expires_at DESC LIMIT 1`,
    );
    expect(kept!.hours).toBe(24);
    await database.query(`UPDATE fixture.idempotency_record SET expires_at = now() WHERE body = $1`, [
      first.body,
    ]);
    const second = await create({ name: 'forgotten' }, { key });
    expect(second.replayed).toBeUndefined();
    expect(second.body).not.toBe(first.body);
    expect(await create({ name: 'forgotten' }, { key })).toEqual({ ...second, replayed: true });
    expect((await widgetsByName(database)).get('forgotten')).toBe(2);
  });

  it('does not concern reads', async () => {
    const kept = await records();
    const params = { widgetId: randomUUID() };
    const answer = await callOperation(client.services, getWidget, undefined, { key: randomUUID(), params });
    expect(answer.status).toBe(404);
    expect(await records()).toBe(kept);
  });
});
