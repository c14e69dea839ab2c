import { randomBytes } from 'node:crypto';
import {
  getWebhook,
  getWebhookDelivery,
  listEvents,
  listWebhookDeliveries,
  publicEventNames,
  publicEvents,
  redeliverWebhook,
  replayWebhooks,
  rotateWebhookSecret,
  testWebhook,
  type EventEnvelope,
} from '@aos/contracts';
import { EventSource, eventually } from '@aos/testing';
import type { ApiClient } from '../src/api-client.js';
import { databaseText } from '../src/database-text.js';
import { liveThrough, runsOf, secretOf, type Story } from '../src/eventful-team.js';
import { deliveryProblems, envelopeOf, envelopesOf, receivedAt } from '../src/received-events.js';
import { publishDraft } from '../src/sample-agents.js';
import { makeWebhook } from '../src/sample-webhooks.js';
import { connectToProduct, type ConnectedProduct } from '../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../src/team.js';
import { expectedData, notOfTheStory } from './expected-event-data.js';

const byId = (one: EventEnvelope, other: EventEnvelope) => (one.id < other.id ? -1 : 1);

describe('webhooks, from what happens to who is told', () => {
  let product: ConnectedProduct;
  let admin: ApiClient;
  let team: Team;
  let secret: string;
  let story: Story;
  let all: string;
  let failures: string;

  beforeAll(async () => {
    product = await connectToProduct();
    admin = await connectAdmin(product);
    team = await newTeam(admin);
    secret = await secretOf(team);
    all = await makeWebhook(team, product.receiver.url('/all'), publicEventNames);
    failures = await makeWebhook(team, product.receiver.url('/failures?of=runs'), ['run.failed']);
    story = await liveThrough(team);
    await eventually(() => {
      for (const [event, expected] of Object.entries(expectedData)) {
        expect([event, told(event).length]).toEqual([event, expected(story).length]);
      }
    });
  });

  afterAll(async () => {
    await product?.disconnect();
  });

  function told(event: string): EventEnvelope[] {
    return envelopesOf(receivedAt(product.receiver, '/all')).filter((envelope) => envelope.event === event);
  }

  /** The feed from its beginning, a few at a time. */
  async function feed(of: Team, query: Record<string, string> = {}): Promise<EventEnvelope[]> {
    const events: EventEnvelope[] = [];
    for (let after = '0'; ;) {
      const page = await of.client.succeed<{
        events: EventEnvelope[];
        next_cursor: string;
        has_more: boolean;
      }>(listEvents, { params: { teamId: of.id }, query: { limit: '3', ...query, after } });
      expect(page.events.length).toBeLessThanOrEqual(3);
      events.push(...page.events);
      after = page.next_cursor;
      if (!page.has_more) return events;
    }
  }

  it('every public event is tried here or in the specs of its service', () => {
    expect([...Object.keys(expectedData), ...notOfTheStory].sort()).toEqual([...publicEventNames].sort());
  });

  it.each(Object.entries(expectedData))('%s reaches its subscriber with its data', (event, expected) => {
    const data = told(event).map((envelope) => envelope.data);
    const schema = publicEvents.find(({ name }) => name === event)!.data;
    expect(data.map((one) => schema.parse(one))).toEqual(data);
    expect(data).toHaveLength(expected(story).length);
    expect(data).toEqual(expect.arrayContaining([...expected(story)]));
  });

  it('each delivery is an envelope with its headers, signed with the secret of the team', () => {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { received } = product.receiver;
    expect(received.map((delivery) => deliveryProblems(delivery, secret))).toEqual(received.map(() => []));
    // The check itself: another secret, another body.
    const [first] = received;
    expect(deliveryProblems(first!, `whsec_${randomBytes(32).toString('base64')}`)).toEqual([
      expect.stringContaining('X-Service-Signature'),
      expect.stringContaining('webhook-signature'),
    ]);
    const forged = {
      ...first!,
      rawBody: Buffer.from(first!.rawBody.toString().replace('"data":{', '"data": {')),
    };
    expect(deliveryProblems(forged, secret)).toHaveLength(2);
  });

  it('a webhook is told what it named, at its address, and nothing else', async () => {
    const envelopes = await eventually(() => {
      const found = envelopesOf(receivedAt(product.receiver, '/failures?of=runs'));
      expect(found).toHaveLength(1);
      return found;
    });
    expect(envelopes).toEqual(told('run.failed'));
  });

  it('the feed has the same envelopes, those of a run in its order', async () => {
    const events = await feed(team);
    const envelopes = envelopesOf(receivedAt(product.receiver, '/all'));
    expect([...events].sort(byId)).toEqual([...envelopes].sort(byId));
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    for (const { id } of runsOf(story)) {
      const stream = await EventSource.open(`${product.urls[0]}/v2/runs/${id}/events`, {
        authorization: `Bearer ${team.key}`,
      });
      stream.read();
      await stream.ended;
      // What happens to its case names the run, and is no event of the run.
      const ofRun = events.filter(({ event, data }) => data['run_id'] === id && !event.startsWith('queue.'));
      expect(ofRun).toEqual(stream.frames.map(({ data }) => data));
    }
    const ends = await feed(team, { types: 'run.failed,run.completed' });
    expect(ends).toEqual(events.filter(({ event }) => ['run.failed', 'run.completed'].includes(event)));
    expect(ends).toHaveLength(5);
  });

  it('another team is told of its own and of nothing else', async () => {
    const other = await newTeam(admin, 'Other');
    await makeWebhook(other, product.receiver.url('/other'), publicEventNames);
    const before = receivedAt(product.receiver, '/all').length;
    const buildId = await publishDraft(other);
    const [delivery] = await eventually(() => {
      const found = receivedAt(product.receiver, '/other');
      expect(found).toHaveLength(1);
      return found;
    });
    expect(envelopeOf(delivery!)).toMatchObject({ data: { build_id: buildId } });
    expect(deliveryProblems(delivery!, await secretOf(other))).toEqual([]);
    expect(await feed(other)).toEqual([envelopeOf(delivery!)]);
    expect(receivedAt(product.receiver, '/all')).toHaveLength(before);
  });

  it('what came of it can be read', async () => {
    const params = { teamId: team.id, subscriptionId: all };
    const envelopes = envelopesOf(receivedAt(product.receiver, '/all'));
    const list = await eventually(async () => {
      const answer = await team.client.succeed<{ deliveries: { id: string }[]; total: number }>(
        listWebhookDeliveries,
        { params, query: { status: 'delivered', limit: '100' } },
      );
      // Rows and total are read one after the other.
      expect([answer.deliveries.length, answer.total]).toEqual([envelopes.length, envelopes.length]);
      return answer;
    });
    expect(list.deliveries.map(({ id }) => id)).toEqual(
      [...envelopes]
        .sort(byId)
        .reverse()
        .map(({ id }) => id),
    );
    const [envelope] = envelopes;
    const delivery = await team.client.succeed(getWebhookDelivery, {
      params: { ...params, deliveryId: envelope!.id },
    });
    expect(delivery).toMatchObject({
      status: 'delivered',
      payload: envelope,
      delivery: { event: envelope!.event, created_at: envelope!.created_at, attempts: 1 },
      attempts: [{ number: 1, status_code: 200, error: null, response_body: '' }],
    });
    expect(await team.client.succeed(getWebhook, { params })).toMatchObject({
      webhook: { enabled: true, consecutive_failures: 0, last_delivery_at: expect.any(String) },
    });
  });

  it('it can be sent again, one or all of a time: the same id and bytes', async () => {
    const params = { teamId: team.id, subscriptionId: failures };
    const sent = () => receivedAt(product.receiver, '/failures?of=runs');
    const [first] = sent();
    await team.client.succeed(redeliverWebhook, { params: { ...params, deliveryId: first!.id } });
    await eventually(() => expect(sent()).toHaveLength(2));
    // The outcome is stored after the receiver has answered; what is pending is left to its own.
    await eventually(async () => {
      const query = { status: 'delivered' };
      const { total } = await team.client.succeed<{ total: number }>(listWebhookDeliveries, {
        params,
        query,
      });
      expect(total).toBe(1);
    });
    const { created_at: since } = envelopeOf(first!);
    await team.client.succeed(replayWebhooks, { params, body: { since } });
    await eventually(() => expect(sent()).toHaveLength(3));
    expect(sent().map(({ id, rawBody }) => [id, rawBody.toString()])).toEqual(
      sent().map(() => [first!.id, first!.rawBody.toString()]),
    );
    expect(sent().flatMap((delivery) => deliveryProblems(delivery, secret))).toEqual([]);
  });

  it('a test is signed, says that it is one, and is no event', async () => {
    const params = { teamId: team.id, subscriptionId: failures };
    const before = await feed(team);
    const answer = await team.client.succeed<{ delivery_id: string }>(testWebhook, { params });
    expect(answer).toMatchObject({ success: true, event: 'run.failed', status_code: 200, error: null });
    const delivery = product.receiver.received.find(({ id }) => id === answer.delivery_id)!;
    expect(deliveryProblems(delivery, secret)).toEqual([]);
    expect(envelopeOf(delivery).data).toMatchObject({ test: true, status: 'failed' });
    expect(await feed(team)).toEqual(before);
  });

  it('a new secret signs from now on, and so does the old one for its time', async () => {
    const params = { teamId: team.id };
    const rotate = (overlap_seconds: number) =>
      team.client.succeed<{ secret: string }>(rotateWebhookSecret, { params, body: { overlap_seconds } });
    const nextDelivery = async () => {
      const buildId = await publishDraft(team);
      return eventually(() => {
        const found = receivedAt(product.receiver, '/all').find(
          (delivery) => envelopeOf(delivery).data['build_id'] === buildId,
        );
        return found ?? Promise.reject(new Error('It has not come yet'));
      });
    };
    const { secret: second } = await rotate(3_600);
    expect(deliveryProblems(await nextDelivery(), second, secret)).toEqual([]);
    const { secret: third } = await rotate(0);
    expect(deliveryProblems(await nextDelivery(), third)).toEqual([]);
    expect(await secretOf(team)).toBe(third);
    const stored = await databaseText(product.database, 'webhook_dispatcher');
    expect(stored).toContain('webhook_secret');
    for (const each of [secret, second, third, 'whsec_']) expect(stored).not.toContain(each);
  });
});
