import { createApiKey, deleteApiKey, getTeam } from '@aos/contracts';
import { createWidget, getWidget, importWidget, sealWidget } from '@aos/testing';
import type { ApiAnswer, ApiClient } from '../../src/api-client.js';
import { databaseText } from '../../src/database-text.js';
import { makeWidget } from '../../src/sample-things.js';
import { startStack, type Stack } from '../../src/stack.js';
import { connectAdmin, newKey, newTeam, type Team } from '../../src/team.js';

const keyed = (key: string) => ({ 'idempotency-key': key });

describe('Idempotency-Key over HTTP', () => {
  let stack: Stack;
  let admin: ApiClient;
  let team: Team;

  beforeAll(async () => {
    stack = await startStack({ together: false, gateways: 2, environment: { RPC_TIMEOUT_MS: '5000' } });
    admin = await connectAdmin(stack);
  });

  beforeEach(async () => {
    team = await newTeam(admin);
  });

  afterAll(async () => {
    await stack?.stop();
  });

  async function widgets(): Promise<number> {
    const [row] = await stack.database.query<{ count: string }>(
      'SELECT count(*) FROM fixture.widget WHERE team_id = $1',
      [team.id],
    );
    return Number(row!.count);
  }

  function expectReplay(first: ApiAnswer, second: ApiAnswer): void {
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect([second.status, second.text, second.headers['content-type']]).toEqual([
      first.status,
      first.text,
      first.headers['content-type'],
    ]);
  }

  it('answers a repeated request with the first answer, byte for byte, at any gateway', async () => {
    const request = { body: { name: 'once é 👩‍👧' }, headers: keyed('a') };
    const first = await team.client.call(createWidget, request);
    expect(first.status).toBe(201);
    expectReplay(first, await team.client.call(createWidget, request));
    expectReplay(first, await team.client.at(stack.urls[1]!).call(createWidget, request));
    expect(await widgets()).toBe(1);
  });

  it('keeps refusals too', async () => {
    for (const [key, body, status] of [
      ['shape', { name: 3 }, 400],
      ['state', { fail: 'limit_reached' }, 409],
    ] as const) {
      const first = await team.client.call(createWidget, { body, headers: keyed(key) });
      expect(first.status).toBe(status);
      expectReplay(first, await team.client.call(createWidget, { body, headers: keyed(key) }));
    }
    const params = { teamId: team.id, keyId: crypto.randomUUID() };
    const first = await team.client.call(deleteApiKey, { params, headers: keyed('gone') });
    expect(first.status).toBe(404);
    expectReplay(first, await team.client.call(deleteApiKey, { params, headers: keyed('gone') }));
    expect(await widgets()).toBe(0);
  });

  it('refuses another body, whatever the order of its fields', async () => {
    const headers = keyed('a');
    const first = await team.client.call(createWidget, { body: { name: 'a', hold_ms: 0 }, headers });
    expectReplay(first, await team.client.call(createWidget, { body: { hold_ms: 0, name: 'a' }, headers }));
    for (const body of [{ name: 'b', hold_ms: 0 }, { name: 'a' }, {}, undefined]) {
      const other = await team.client.call(createWidget, { body, headers });
      expect([other.status, other.body]).toEqual([
        409,
        expect.objectContaining({ error: 'idempotency_conflict' }),
      ]);
    }
    expect(await widgets()).toBe(1);
  });

  it('the same key elsewhere is another key', async () => {
    const headers = keyed('a');
    const other = await newTeam(admin);
    const [one, two] = [await makeWidget(team), await makeWidget(team)];
    const body = { token: 't' };
    const answers = [
      await team.client.call(createWidget, { headers }),
      await other.client.call(createWidget, { headers }),
      await team.client.call(importWidget, { headers }),
      await team.client.call(sealWidget, { headers, params: { widgetId: one }, body }),
      await team.client.call(sealWidget, { headers, params: { widgetId: two }, body }),
    ];
    expect(answers.map((answer) => answer.headers['idempotency-replayed'])).toEqual(
      answers.map(() => undefined),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 200, 200]);
  });

  it('stores nothing of what never reached its owner, nor of what may succeed later', async () => {
    const headers = keyed('a');
    const json = { ...headers, 'content-type': 'application/json' };
    const { key: narrow } = await newKey(team, { scopes: ['runs:read'] });
    const refusals = [
      await team.client.call(createWidget, { headers: json, rawBody: '{' }),
      await team.client.call(createWidget, {
        headers: { ...headers, 'content-type': 'text/x' },
        rawBody: 'a',
      }),
      await team.client.call(createWidget, { headers: json, rawBody: ' '.repeat(1024 * 1024 + 1) }),
      await team.client.call(createWidget, { headers, token: 'aos_wrong' }),
      await team.client.call(createWidget, { headers, token: narrow }),
      await team.client.call(createWidget, { headers, body: { fail: 'unavailable' } }),
      await team.client.call(createWidget, { headers, body: { fail: 'crash' } }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([400, 415, 413, 401, 403, 503, 500]);
    const answer = await team.client.call(createWidget, { headers, body: { name: 'at last' } });
    expect(answer.status).toBe(201);
    expect(answer.headers['idempotency-replayed']).toBeUndefined();
    expect(await widgets()).toBe(1);
  });

  it('holds on DELETE, and means nothing on GET', async () => {
    const { id } = await newKey(team);
    const remove = { params: { teamId: team.id, keyId: id }, headers: keyed('a') };
    const first = await team.client.call(deleteApiKey, remove);
    expect(first.body).toEqual({ success: true });
    expectReplay(first, await team.client.call(deleteApiKey, remove));
    const read = { params: { teamId: team.id }, headers: keyed('') };
    expect((await team.client.call(getTeam, read)).status).toBe(200);
    const widgetId = await makeWidget(team);
    expect((await team.client.call(getWidget, { params: { widgetId }, headers: keyed('a') })).status).toBe(
      200,
    );
  });

  it('seals the stored answer of an operation that shows a secret', async () => {
    const request = { params: { teamId: team.id }, body: { name: 'sealed' }, headers: keyed('a') };
    const first = await team.client.call(createApiKey, request);
    expectReplay(first, await team.client.call(createApiKey, request));
    const { key } = (first.body as { api_key: { key: string } }).api_key;
    const seal = {
      params: { widgetId: crypto.randomUUID() },
      body: { token: 'widget-secret' },
      headers: keyed('a'),
    };
    expectReplay(await team.client.call(sealWidget, seal), await team.client.call(sealWidget, seal));

    const stored = await databaseText(stack.database, 'gateway');
    expect(stored).toContain('"operation_id":"createApiKey"');
    expect(stored).not.toContain(key);
    const storedByFixture = await databaseText(stack.database, 'fixture');
    expect(storedByFixture).toContain('"operation_id":"sealWidget"');
    expect(storedByFixture).not.toContain('widget-secret');
  });

  it('100 parallel requests with one key make one thing', async () => {
    const request = { body: { name: 'one' }, headers: keyed('a') };
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        team.client.at(stack.urls[index % 2]!).call(createWidget, request),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    const waiting = answers.filter(({ status }) => status === 409);
    expect(made.length + waiting.length).toBe(100);
    expect(made.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const { body, headers } of waiting) {
      expect(body).toMatchObject({ error: 'idempotency_in_progress' });
      expect(headers['retry-after']).toBe('1');
    }
    expect(await widgets()).toBe(1);
    const after = await team.client.call(createWidget, request);
    expect([after.text, after.headers['idempotency-replayed']]).toEqual([made[0]!.text, 'true']);
  });

  it('an operation that calls out first is under way until it is done', async () => {
    const request = { body: { call_ms: 500 }, headers: keyed('a') };
    const answers = await Promise.all([1, 2, 3].map(() => team.client.call(importWidget, request)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const first = answers.find(({ status }) => status === 201)!;
    expectReplay(first, await team.client.call(importWidget, request));
    expect(await widgets()).toBe(1);
  });

  // The last one: it ends the replica that the others use.
  it('a crash between commit and answer, then a retry: the first effect, once', async () => {
    const request = { body: { name: 'survivor', crash_after_commit: true }, headers: keyed('a') };
    const lost = await team.client.call(createWidget, request);
    expect([lost.status, lost.body]).toEqual([503, expect.objectContaining({ error: 'unavailable' })]);
    const dead = stack.processes.find(({ service }) => service === 'fixture')!;
    expect(await dead.exited).toBe(null);
    expect(await widgets()).toBe(1);

    await stack.start('fixture');
    const answer = await team.client.call(createWidget, request);
    expect(answer.status).toBe(201);
    expect(answer.headers['idempotency-replayed']).toBe('true');
    expect(answer.body).toMatchObject({ widget: { name: 'survivor' } });
    expect(await widgets()).toBe(1);
  });
});
