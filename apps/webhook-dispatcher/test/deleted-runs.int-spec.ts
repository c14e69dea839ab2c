import {
  getWebhookDelivery,
  listEvents,
  redeliverRunDelivery,
  redeliverWebhook,
  runCompleted,
  runDeleted,
  runToolCallCompleted,
  type EventDefinition,
} from '@aos/contracts';
import { newEvent, type NewEvent } from '@aos/events';
import { eventually, startReceiver, type WebhookReceiver } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import { runOfEvent } from '../src/feed/emptied-events.sql.js';
import { Retention } from '../src/retention/retention.js';
import { startWebhooks, type DispatcherUnderTest } from './dispatcher-under-test.js';

const said = 'All mails are answered.';

describe('what runs have said that were deleted', () => {
  let webhooks: DispatcherUnderTest;
  let receiver: WebhookReceiver;
  let subscriptionId: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    receiver.behave(({ rawBody }) => ({ status: 200, body: rawBody.toString() }));
    webhooks = await startWebhooks();
    ({ id: subscriptionId } = await webhooks.subscribe(receiver.url('/hook'), runCompleted.name));
  });

  afterAll(async () => {
    await webhooks?.stop();
    await receiver?.close();
  });

  const of = (event: EventDefinition, runId: string, more: Partial<NewEvent> = {}) =>
    newEvent({
      event,
      teamId: webhooks.teamId,
      data: { ...(event.example as object), run_id: runId } as never,
      ...more,
    });
  const deleted = (runId: string) => of(runDeleted, runId);
  const nothingOf = (runId: string) => ({ run_id: runId, deleted: true });

  async function feedOf(runId: string) {
    const { events } = await webhooks.succeed(listEvents, { query: { limit: '1000' } });
    return events.filter(({ data }) => data['run_id'] === runId);
  }
  const bodiesOf = (id: string, path: string) =>
    receiver.received
      .filter((one) => one.id === id && one.path === path)
      .map(({ rawBody }) => JSON.parse(rawBody.toString()) as { data: object });
  const read = (deliveryId: string) =>
    webhooks.succeed(getWebhookDelivery, { params: { subscriptionId, deliveryId } });

  it('is in no event, delivery or answer any more, and is not sent again', async () => {
    const [runId, kept] = [uuidv7(), uuidv7()];
    const callbackUrl = receiver.url('/callback');
    const [id] = (await webhooks.runs.record([of(runCompleted, runId, { callbackUrl })])) as [string];
    const [keptId] = (await webhooks.runs.record([of(runCompleted, kept)])) as [string];
    await webhooks.reach(subscriptionId, keptId, 'delivered');
    expect((await webhooks.reach(subscriptionId, id, 'delivered')).attempts[0]!.response_body).toContain(
      said,
    );
    await eventually(() => expect(bodiesOf(id, '/callback')).toHaveLength(1));
    const [before] = await feedOf(runId);

    await webhooks.runs.record([deleted(runId)]);
    await eventually(async () =>
      expect(await feedOf(runId)).toEqual([{ ...before, data: nothingOf(runId) }]),
    );
    const { payload, attempts } = await read(id);
    expect([payload, attempts.map(({ response_body: body }) => body)]).toEqual([
      { ...before, data: nothingOf(runId) },
      [null],
    ]);
    for (const [operation, params, path] of [
      [redeliverWebhook, { subscriptionId, deliveryId: id }, '/hook'],
      [redeliverRunDelivery, { run_id: runId, deliveryId: id }, '/callback'],
    ] as const) {
      expect((await webhooks.call(operation, { params })).status).toBe(operation.status);
      await eventually(() =>
        expect(bodiesOf(id, path).map(({ data }) => data)).toEqual([
          expect.objectContaining({ result: said }),
          nothingOf(runId),
        ]),
      );
    }
    expect((await read(keptId)).payload.data).toMatchObject({ result: said });
    expect((await read(keptId)).attempts[0]!.response_body).toContain(said);
  });

  it('is not stored or sent if it comes after the deletion, which may come twice', async () => {
    const runId = uuidv7();
    await webhooks.runs.record([deleted(runId), deleted(runId)]);
    const [id] = (await webhooks.runs.record([of(runCompleted, runId)])) as [string];
    await webhooks.reach(subscriptionId, id, 'delivered');
    expect(bodiesOf(id, '/hook').map(({ data }) => data)).toEqual([nothingOf(runId)]);
    expect((await feedOf(runId)).map(({ data }) => data)).toEqual([nothingOf(runId)]);
  });

  it('is not sent of an event that the log of runs has emptied before it came', async () => {
    const runId = uuidv7();
    const event = { ...runCompleted, data: z.record(z.string(), z.unknown()) };
    // What other services count by stays in the log.
    const data = { ...nothingOf(runId), status: 'completed' };
    const [id] = (await webhooks.runs.record([newEvent({ event, teamId: webhooks.teamId, data })])) as [
      string,
    ];
    await webhooks.reach(subscriptionId, id, 'delivered');
    expect(bodiesOf(id, '/hook').map((body) => body.data)).toEqual([nothingOf(runId)]);
  });

  it('goes page by page, whatever else a team has, and is found by an index', async () => {
    const runId = uuidv7();
    await webhooks.database.query(
      `INSERT INTO webhook_dispatcher.feed_event (team_id, position, id, event, body, created_at)
       SELECT $1, n, gen_random_uuid(), 'run.completed',
              json_build_object('data', json_build_object('run_id', gen_random_uuid()))::text, now()
         FROM generate_series(1000000, 1020000) AS n`,
      [webhooks.teamId],
    );
    const calls = Array.from({ length: 250 }, () => of(runToolCallCompleted, runId));
    await webhooks.runs.record([...calls, deleted(runId)]);
    await eventually(async () => {
      const left = await webhooks.database.query<{ emptied: boolean; events: string }>(
        `SELECT body::json #>> '{data,deleted}' = 'true' AS emptied, count(*) AS events
           FROM webhook_dispatcher.feed_event WHERE ${runOfEvent} = $1 GROUP BY 1`,
        [runId],
      );
      expect(left).toEqual([{ emptied: true, events: '250' }]);
    });
    const plan = await webhooks.database.query(
      `EXPLAIN SELECT id FROM webhook_dispatcher.feed_event
        WHERE ${runOfEvent} = '${runId}' AND position > 0 ORDER BY position LIMIT 100`,
    );
    expect(JSON.stringify(plan)).toContain('feed_event_run');
  });

  it('is looked for once more, and no longer than events may come late', async () => {
    const state = () =>
      webhooks.database.query<{ due: string }>(
        `SELECT count(*) FILTER (WHERE due_at IS NOT NULL) AS due, count(*) AS all FROM webhook_dispatcher.deleted_run`,
      );
    expect(await state()).toMatchObject([{ all: '3' }]);
    await webhooks.database.query(
      `UPDATE webhook_dispatcher.deleted_run SET due_at = now(), deleted_at = now() - interval '31 seconds'`,
    );
    await eventually(async () => expect(await state()).toEqual([{ due: '0', all: '3' }]), {
      timeoutMs: 30_000,
    });
    await webhooks.database.query(
      `UPDATE webhook_dispatcher.deleted_run SET deleted_at = now() - interval '32 days'`,
    );
    await webhooks.running.app.get(Retention).prune();
    expect(await state()).toEqual([{ due: '0', all: '0' }]);
  });
});
