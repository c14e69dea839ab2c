import {
  createWebhook,
  getRun,
  listEvents,
  listRunDeliveries,
  listRuns,
  listWebhooks,
  postRunMessage,
  publicEvents,
  redeliverRunDelivery,
  startRun,
  updateWebhook,
  type EventEnvelope,
} from '@aos/contracts';
import { eventually, type ReceivedDelivery } from '@aos/testing';
import type { ApiClient } from '../../src/api-client.js';
import { respond, runIn, secretOf } from '../../src/eventful-team.js';
import { deliveryProblems, envelopeOf, envelopesOf, receivedAt } from '../../src/received-events.js';
import { makeAgent, makeRun, steps } from '../../src/sample-agents.js';
import { makeWebhook } from '../../src/sample-webhooks.js';
import { connectToProduct, type ConnectedProduct } from '../../src/shared-product.js';
import { startStack, type BehindGateway, type Stack } from '../../src/stack.js';
import { connectAdmin, newTeam, type Team } from '../../src/team.js';

const services: readonly BehindGateway[] = ['agents-and-revisions', 'runs', 'webhook-dispatcher'];

/** What a callback is told of a run that asks, fails, and completes after a message has reopened it, in order. */
const toldOfRun = ['run.started', 'human_request.created', 'run.paused', 'run.failed', 'run.completed'];

interface Deliveries {
  readonly deliveries: readonly { readonly id: string; readonly event: string }[];
  readonly total: number;
}

describe('the callback of a run', () => {
  let product: ConnectedProduct;
  let admin: ApiClient;
  let team: Team;
  let secret: string;
  let agentId: string;

  beforeAll(async () => {
    product = await connectToProduct();
    admin = await connectAdmin(product);
    team = await newTeam(admin);
    secret = await secretOf(team);
    const lines = [
      'say One moment',
      'tool no_such_tool {}',
      'approve Shall I?',
      'fail Broken',
      'finish Done',
    ];
    agentId = await makeAgent(team, steps(...lines));
  });

  afterAll(async () => {
    await product?.disconnect();
  });

  /** A run that has been through all that a callback is told. */
  async function eventfulRun(more: Readonly<Record<string, string>> = {}): Promise<string> {
    const runId = await makeRun(team, agentId, more);
    await respond(team, runId, { approved: true });
    await runIn(team, runId, 'failed');
    await team.client.succeed(postRunMessage, { params: { run_id: runId }, body: { message: 'Go on' } });
    await runIn(team, runId, 'completed');
    return runId;
  }

  function deliveriesOf(runId: string, query: Record<string, string> = {}): Promise<Deliveries> {
    return team.client.succeed<Deliveries>(listRunDeliveries, { params: { run_id: runId }, query });
  }

  async function allDelivered(runId: string): Promise<Deliveries> {
    return eventually(async () => {
      const list = await deliveriesOf(runId, { status: 'delivered' });
      // Rows and total are read one after the other.
      expect([list.deliveries.length, list.total]).toEqual([toldOfRun.length, toldOfRun.length]);
      return list;
    });
  }

  async function feedOf(runId: string): Promise<EventEnvelope[]> {
    const request = { params: { teamId: team.id }, query: { limit: '1000' } };
    const { events } = await team.client.succeed<{ events: EventEnvelope[] }>(listEvents, request);
    return events.filter(({ data }) => data['run_id'] === runId);
  }

  it('is told five kinds of events', () => {
    const kinds = publicEvents.filter(({ callback }) => callback).map(({ name }) => name);
    expect([...kinds].sort()).toEqual([...toldOfRun].sort());
  });

  it.each(['webhook_url', 'callback_url'])('comes to %s, signed, and with nothing else', async (field) => {
    const path = `/${field}?token=hidden`;
    const runId = await eventfulRun({ [field]: product.receiver.url(path) });
    const list = await allDelivered(runId);
    const deliveries = receivedAt(product.receiver, path);
    expect(deliveries.flatMap((delivery) => deliveryProblems(delivery, secret))).toEqual([]);

    const told = (await feedOf(runId)).filter(({ event }) => toldOfRun.includes(event));
    expect(told.map(({ event }) => event)).toEqual(toldOfRun);
    const byId = new Map(envelopesOf(deliveries).map((envelope) => [envelope.id, envelope]));
    expect(told.map(({ id }) => byId.get(id))).toEqual(told);
    expect(byId.size).toBe(told.length);
    expect(list).toEqual({
      deliveries: told.toReversed().map(({ id, event, created_at }) => ({
        id,
        event,
        created_at,
        status: 'delivered',
        attempts: 1,
        next_attempt_at: null,
        delivered_at: expect.any(String),
      })),
      total: toldOfRun.length,
      limit: 20,
      offset: 0,
    });
    expect((await deliveriesOf(runId, { status: 'dead' })).total).toBe(0);
  });

  it('shows its address to nobody: it may hold a secret', async () => {
    const address = product.receiver.url('/secret?token=hidden');
    const request = { params: { teamId: team.id }, body: { agent_id: agentId, webhook_url: address } };
    const started = await team.client.call(startRun, request);
    const { run_id } = started.body as { run_id: string };
    await eventually(async () => expect((await deliveriesOf(run_id)).total).toBeGreaterThan(0));
    const seen = [
      started,
      await team.client.call(getRun, { params: { run_id } }),
      await team.client.call(listRuns, { params: { teamId: team.id } }),
      await team.client.call(listRunDeliveries, { params: { run_id } }),
      await team.client.call(listEvents, { params: { teamId: team.id }, query: { limit: '1000' } }),
    ];
    expect(seen.map(({ status, text }) => [status < 300, text.includes('hidden')])).toEqual(
      seen.map(() => [true, false]),
    );
  });

  it('is told beside the webhooks of the team, and can be asked for again', async () => {
    const [path, hook] = ['/again', '/hook'];
    const subscriptionId = await makeWebhook(team, product.receiver.url(hook), ['run.failed']);
    expect(subscriptionId).toEqual(expect.any(String));
    const runId = await eventfulRun({ webhook_url: product.receiver.url(path) });
    const { deliveries } = await allDelivered(runId);
    const { id: deliveryId } = deliveries.find(({ event }) => event === 'run.failed')!;
    await eventually(() => expect(envelopesOf(receivedAt(product.receiver, hook))).toHaveLength(1));
    expect(receivedAt(product.receiver, hook)[0]!.id).toBe(deliveryId);

    const again = await team.client.succeed(redeliverRunDelivery, { params: { run_id: runId, deliveryId } });
    expect(again).toMatchObject({ deliveryId, status: 'pending', delivery: { id: deliveryId } });
    const twice = await eventually(() => {
      const found = receivedAt(product.receiver, path).filter(({ id }) => id === deliveryId);
      expect(found).toHaveLength(2);
      return found as [ReceivedDelivery, ReceivedDelivery];
    });
    expect(twice[1].rawBody).toEqual(twice[0].rawBody);
    expect(deliveryProblems(twice[1], secret)).toEqual([]);
    const after = await allDelivered(runId);
    expect(after.deliveries.find(({ id }) => id === deliveryId)).toMatchObject({ attempts: 2 });
    // The webhook has its own delivery of the same event, and was not meant.
    expect(receivedAt(product.receiver, hook).map(envelopeOf)).toEqual([envelopeOf(twice[0])]);
  });

  it('a run without one has no deliveries', async () => {
    const runId = await eventfulRun();
    await eventually(async () => expect((await feedOf(runId)).at(-1)?.event).toBe('run.completed'));
    expect(await deliveriesOf(runId)).toEqual({ deliveries: [], total: 0, limit: 20, offset: 0 });
  });

  it('is not found in the run of another team', async () => {
    const runId = await eventfulRun({ webhook_url: product.receiver.url('/own') });
    const { deliveries } = await allDelivered(runId);
    const other = await newTeam(admin, 'Other');
    const params = { run_id: runId, deliveryId: deliveries[0]!.id };
    for (const operation of [listRunDeliveries, redeliverRunDelivery]) {
      const { status, body } = await other.client.call(operation, { params });
      expect([status, body]).toEqual([404, expect.objectContaining({ error: 'not_found' })]);
    }
    expect(receivedAt(product.receiver, '/own')).toHaveLength(toldOfRun.length);
  });

  it.each([
    'http://localhost:1/',
    'http://localhost:8080/',
    'http://hooks.localhost:8080/',
    'http://127.0.0.1:22/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]:8080/',
    'http://user:password@127.0.0.1:8080/',
    'ftp://127.0.0.1/',
    'nonsense',
  ])('%s is no address, for runs as for webhooks', async (url) => {
    await refusedEverywhere(team, agentId, url);
  });
});

describe('without an opened range', () => {
  let stack: Stack;
  let team: Team;

  beforeAll(async () => {
    stack = await startStack({ services, environment: { EGRESS_ALLOW_CIDRS: '' } });
    team = await newTeam(await connectAdmin(stack));
  });

  afterAll(async () => {
    await stack?.stop();
  });

  it.each(['127.0.0.1', '127.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '0.0.0.0'])(
    'this machine is no address in the spelling %s, and nothing reaches it',
    async (host) => {
      const url = stack.receiver.url('/inside').replace('127.0.0.1', host);
      await refusedEverywhere(team, await makeAgent(team), url);
      expect(stack.receiver.received).toEqual([]);
    },
  );
});

/** That an address is refused wherever one can be given, and that nothing is made with it. */
async function refusedEverywhere(team: Team, agentId: string, url: string): Promise<void> {
  const params = { teamId: team.id };
  const count = async () => [
    (await team.client.succeed(listRuns, { params }))['total'],
    (await team.client.succeed(listWebhooks, { params }))['total'],
  ];
  // An address of the outside without a name to resolve, for an event that does not happen: nothing is sent.
  const subscriptionId = await makeWebhook(team, 'https://9.9.9.9/', ['connection.updated']);
  const before = await count();
  const answers = [
    await team.client.call(startRun, { params, body: { agent_id: agentId, webhook_url: url } }),
    await team.client.call(startRun, { params, body: { agent_id: agentId, callback_url: url } }),
    await team.client.call(createWebhook, { params, body: { url, events: ['run.failed'] } }),
    await team.client.call(updateWebhook, { params: { ...params, subscriptionId }, body: { url } }),
  ];
  const refusal = [400, expect.objectContaining({ error: 'invalid_webhook_url' })];
  expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => refusal));
  expect(await count()).toEqual(before);
}
