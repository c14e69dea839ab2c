import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhooks,
  publicEventNames,
  redeliverWebhook,
  replayWebhooks,
  runCompleted,
  runFailed,
  runStarted,
  testWebhook,
  updateWebhook,
  type Operation,
} from '@aos/contracts';
import { eventually, startReceiver, type WebhookReceiver, type ServiceAnswer } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import {
  exampleOf,
  startWebhooks,
  type DispatcherUnderTest,
  type WebhooksClient,
} from './dispatcher-under-test.js';

/** Nobody asks DNS for it, and nothing is sent there. */
const url = 'https://93.184.216.34/hook';
const events = [runCompleted.name];

describe('a webhook', () => {
  let webhooks: DispatcherUnderTest;
  let receiver: WebhookReceiver;
  let team: WebhooksClient;

  beforeAll(async () => {
    [webhooks, receiver] = await Promise.all([startWebhooks(), startReceiver()]);
  });

  beforeEach(() => {
    team = webhooks.anotherTeam();
  });

  afterAll(async () => {
    await webhooks?.stop();
    await receiver?.close();
  });

  const record = async (...names: (typeof runCompleted)[]) =>
    webhooks.runs.record(names.map((event) => exampleOf(event, team.teamId)));

  it('is created, read and listed as it is', async () => {
    const created = await team.succeed(createWebhook, { body: { url, events: ['run.started', ...events] } });
    const { subscriptionId, webhook } = created;
    expect(webhook).toEqual({
      id: subscriptionId,
      subscriptionId,
      team_id: team.teamId,
      url,
      events: ['run.started', 'run.completed'],
      enabled: true,
      disabled_reason: null,
      last_delivery_at: null,
      consecutive_failures: 0,
      created_at: expect.stringMatching(/Z$/),
      updated_at: webhook.created_at,
    });
    expect(await team.succeed(getWebhook, { params: { subscriptionId } })).toEqual(created);
    const page = { webhooks: [webhook], total: 1, limit: 100, offset: 0 };
    expect(await team.succeed(listWebhooks)).toEqual(page);
  });

  it('is one of a list that comes in pages', async () => {
    const made = [];
    for (let count = 0; count < 5; count += 1) made.push((await team.subscribe(url, ...events)).id);
    const pages = [];
    for (const offset of [0, 2, 4, 6]) {
      const query = { limit: '2', offset: String(offset) };
      const { webhooks: page, total } = await team.succeed(listWebhooks, { query });
      expect(total).toBe(5);
      pages.push(page.map(({ id }) => id));
    }
    expect(pages).toEqual([made.slice(0, 2), made.slice(2, 4), made.slice(4), []]);
  });

  it('may want every public event', async () => {
    expect(publicEventNames).toHaveLength(17);
    const { events: wanted } = await team.subscribe(url, ...publicEventNames);
    expect(wanted).toEqual(publicEventNames);
    for (const name of publicEventNames) expect((await team.subscribe(url, name)).events).toEqual([name]);
  });

  it.each([
    ['an event that nobody knows', { url, events: ['run.exploded'] }, 'events'],
    ['an event that is for the services alone', { url, events: ['agent.deleted'] }, 'events'],
    ['no event', { url, events: [] }, 'events'],
    ['an event twice', { url, events: [...events, ...events] }, 'events'],
    ['something else than events', { url, events: 'run.completed' }, 'events'],
    ['events missing', { url }, 'events'],
    ['no address', { events }, 'url'],
    ['an address that is no text', { url: 7, events }, 'url'],
    ['an address that is too long', { url: `https://93.184.216.34/${'a'.repeat(2_048)}`, events }, 'url'],
  ])('cannot be had with %s, and the answer names the field', async (_, body, field) => {
    const { id: subscriptionId } = await team.subscribe(url, ...events);
    const answers: ServiceAnswer<Operation>[] = [await team.call(createWebhook, { body })];
    if ('events' in body && 'url' in body) {
      answers.push(await team.call(updateWebhook, { params: { subscriptionId }, body }));
    }
    for (const { status, body: refusal } of answers) {
      expect({ status, error: refusal.error }).toEqual({ status: 400, error: 'invalid_request' });
      expect(refusal.message).toMatch(new RegExp(`^${field}\\b`));
    }
    expect((await team.succeed(listWebhooks)).total).toBe(1);
  });

  it.each([
    'http://10.0.0.1/hook',
    'http://169.254.169.254/latest/meta-data',
    'http://192.168.1.1/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://0xa000001/',
    'http://localhost/',
    'http://hooks.localhost/',
    'http://intranet/',
    'http://vault.internal/',
    'http://printer.local./',
    'ftp://93.184.216.34/',
    'https://user:password@93.184.216.34/',
    '93.184.216.34/hook',
  ])('cannot have the address %s', async (forbidden) => {
    const { id: subscriptionId } = await team.subscribe(url, ...events);
    const refusals = [
      await team.call(createWebhook, { body: { url: forbidden, events } }),
      await team.call(updateWebhook, { params: { subscriptionId }, body: { url: forbidden } }),
    ];
    for (const { status, body } of refusals) {
      expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_webhook_url' });
      expect(body.message).toMatch(/^url: /);
    }
    const { webhooks: left } = await team.succeed(listWebhooks);
    expect(left.map((webhook) => webhook.url)).toEqual([url]);
  });

  it('is nobody else’s: to another team it is as unknown as one that never was', async () => {
    const { id: subscriptionId } = await team.subscribe(receiver.url('/mine'), ...events);
    const [deliveryId] = (await record(runCompleted)) as [string];
    await team.reach(subscriptionId, deliveryId, 'delivered');
    const before = await team.succeed(getWebhook, { params: { subscriptionId } });
    const stranger = webhooks.anotherTeam();
    const attempts: [Operation, unknown?][] = [
      [getWebhook],
      [updateWebhook, { enabled: false }],
      // Nor does it tell anything about an address.
      [updateWebhook, { url: 'http://10.0.0.1/' }],
      [deleteWebhook],
      [testWebhook],
      [listWebhookDeliveries],
      [getWebhookDelivery],
      [redeliverWebhook],
      [replayWebhooks, { since: '2020-01-01T00:00:00Z' }],
    ];
    for (const [operation, body] of attempts) {
      const params = { subscriptionId, deliveryId };
      const foreign = await stranger.call(operation, { params, body });
      const unknown = await stranger.call(operation, {
        params: { ...params, subscriptionId: uuidv7() },
        body,
      });
      expect([operation.operationId, foreign.status, foreign.text]).toEqual([
        operation.operationId,
        404,
        unknown.text,
      ]);
    }
    expect((await stranger.succeed(listWebhooks)).total).toBe(0);
    expect(await team.succeed(getWebhook, { params: { subscriptionId } })).toEqual(before);
    expect(receiver.received.filter(({ path }) => path === '/mine')).toHaveLength(1);
  });

  it('is created once for one Idempotency-Key', async () => {
    const body = { url, events };
    const first = await team.call(createWebhook, { body, key: 'once' });
    const again = await team.call(createWebhook, { body, key: 'once' });
    expect(first).toMatchObject({ status: 201, replayed: false });
    expect(again).toEqual({ ...first, replayed: true });
    const other = await team.call(createWebhook, { body: { url, events: ['run.failed'] }, key: 'once' });
    expect([other.status, other.body.error]).toEqual([409, 'idempotency_conflict']);
    expect((await team.succeed(listWebhooks)).total).toBe(1);
  });

  it('is created once for one Idempotency-Key, however many ask at the same moment', async () => {
    const ask = () =>
      // Whoever comes while the first is under way is told to come again.
      eventually(async () => {
        const answer = await team.call(createWebhook, { body: { url, events }, key: 'together' });
        if (answer.body.error === 'idempotency_in_progress') throw new Error('in progress');
        return answer;
      });
    const answers = await Promise.all(Array.from({ length: 10 }, ask));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(201);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect((await team.succeed(listWebhooks)).total).toBe(1);
  });

  it('is one of a thousand at most, also when many are made at once', async () => {
    await team.subscribe(url, ...events);
    await webhooks.database.query(
      `INSERT INTO webhook_dispatcher.webhook_subscription
         (id, team_id, url, events, enabled, consecutive_failures, created_at, updated_at)
       SELECT gen_random_uuid(), team_id, url, events, enabled, 0, created_at, updated_at
         FROM webhook_dispatcher.webhook_subscription, generate_series(1, 996) WHERE team_id = $1`,
      [team.teamId],
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => team.call(createWebhook, { body: { url, events } })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ body }) => body.error === 'limit_reached')).toHaveLength(17);
    expect((await team.succeed(listWebhooks)).total).toBe(1_000);
  });

  it('can be moved, and then the new address is told', async () => {
    const { id: subscriptionId } = await team.subscribe(receiver.url('/old'), ...events);
    await team.succeed(updateWebhook, { params: { subscriptionId }, body: { url: receiver.url('/new') } });
    const [deliveryId] = (await record(runCompleted)) as [string];
    await team.reach(subscriptionId, deliveryId, 'delivered');
    expect(receiver.received.filter(({ id }) => id === deliveryId).map(({ path }) => path)).toEqual(['/new']);
  });

  it('can want other events', async () => {
    const { id: subscriptionId } = await team.subscribe(receiver.url(), ...events);
    const body = { events: [runFailed.name, runStarted.name] };
    const { webhook } = await team.succeed(updateWebhook, { params: { subscriptionId }, body });
    expect(webhook).toMatchObject({ ...body, url: receiver.url(), enabled: true });
    const [, wanted] = (await record(runCompleted, runFailed, runCompleted)) as [string, string];
    await team.reach(subscriptionId, wanted, 'delivered');
    const { deliveries } = await team.succeed(listWebhookDeliveries, { params: { subscriptionId } });
    expect(deliveries.map(({ id }) => id)).toEqual([wanted]);
  });

  it('can be disabled and enabled, and says why it is disabled', async () => {
    const { id: subscriptionId, updated_at: before } = await team.subscribe(url, ...events);
    const change = async (body: object) =>
      (await team.succeed(updateWebhook, { params: { subscriptionId }, body })).webhook;
    const disabled = await change({ enabled: false });
    expect(disabled).toMatchObject({ enabled: false, disabled_reason: 'Disabled by the team.', url, events });
    expect(disabled.updated_at >= before).toBe(true);
    expect(await change({ url: `${url}/2` })).toMatchObject({ enabled: false, url: `${url}/2` });
    expect(await change({ enabled: true })).toMatchObject({ enabled: true, disabled_reason: null });
    expect(await change({})).toMatchObject({ enabled: true, url: `${url}/2`, events });
  });

  it('is gone once it is deleted', async () => {
    const { id: subscriptionId } = await team.subscribe(url, ...events);
    expect(await team.succeed(deleteWebhook, { params: { subscriptionId } })).toEqual({ success: true });
    for (const operation of [getWebhook, deleteWebhook, testWebhook, listWebhookDeliveries]) {
      expect((await team.call(operation, { params: { subscriptionId } })).status).toBe(404);
    }
    expect(await team.succeed(listWebhooks)).toMatchObject({ webhooks: [], total: 0 });
  });
});
