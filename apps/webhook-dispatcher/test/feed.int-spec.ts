import { setTimeout as delay } from 'node:timers/promises';
import {
  buildPublished,
  humanRequestCreated,
  listEvents,
  publicEventNames,
  runCompleted,
  runMessageCreated,
  runStarted,
  type EventEnvelope,
} from '@aos/contracts';
import { newEvent, type NewEvent } from '@aos/events';
import {
  eventually,
  seededRandom,
  startEventLog,
  startReceiver,
  type EventLog,
  type WebhookReceiver,
} from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import {
  exampleOf,
  startWebhooks,
  type DispatcherUnderTest,
  type WebhooksClient,
} from './dispatcher-under-test.js';

const writers = 20;
const roundsOfAWriter = 6;
const maxHoldMs = 120;
const random = seededRandom();

describe('the feed of events', () => {
  let webhooks: DispatcherUnderTest;
  let agents: EventLog;
  let receiver: WebhookReceiver;
  let team: WebhooksClient;

  beforeAll(async () => {
    receiver = await startReceiver();
    webhooks = await startWebhooks();
    agents = await startEventLog('agents-and-revisions', webhooks.environment);
  });

  beforeEach(() => {
    team = webhooks.anotherTeam();
  });

  afterAll(async () => {
    await agents?.stop();
    await webhooks?.stop();
    await receiver?.close();
  });

  const page = (query: Record<string, string> = {}) => team.succeed(listEvents, { query });

  /** Reads from the beginning until it has as many as it wants. */
  async function follow(count: number, limit: () => number, types?: string): Promise<EventEnvelope[]> {
    const seen: EventEnvelope[] = [];
    let after = '0';
    await eventually(
      async () => {
        const query = { after, limit: String(limit()), ...(types && { types }) };
        const { events, next_cursor: next, has_more: more } = await page(query);
        seen.push(...events);
        if (events.length === 0) expect([next, more]).toEqual([after, false]);
        after = next;
        expect(seen.length).toBeGreaterThanOrEqual(count);
      },
      { timeoutMs: 20_000, everyMs: 5 },
    );
    // There is nothing after the last.
    expect((await page({ after, ...(types && { types }) })).events).toEqual([]);
    return seen;
  }

  /** What one writer tells of its run, some at a time, in transactions that stay open for a while. */
  async function write(runId: string, more: boolean): Promise<string[]> {
    const ids: string[] = [];
    for (let round = 0; round < roundsOfAWriter; round += 1) {
      const hold = () => delay(random.whole(0, maxHoldMs));
      const message = newEvent({
        event: runMessageCreated,
        teamId: team.teamId,
        data: { ...runMessageCreated.example!, run_id: runId, message_id: uuidv7() },
      });
      const started = newEvent({
        event: runStarted,
        teamId: team.teamId,
        data: { ...runStarted.example!, run_id: runId },
      });
      ids.push(...(await webhooks.runs.record([message, started], hold)));
      if (more) await agents.record([exampleOf(buildPublished, team.teamId)], hold);
    }
    return ids;
  }

  /** Between the moment that gives positions and the one that shows them others get time to overtake. */
  async function slowCommits(): Promise<void> {
    await webhooks.database.query(
      `CREATE FUNCTION webhook_dispatcher.dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF abs(hashint8extended(NEW.position, ${random.seed}) % 5) = 0 THEN
           PERFORM pg_sleep(abs(hashint8extended(NEW.position, ${random.seed + 1}) % 50) / 1000.0);
         END IF;
         RETURN NULL;
       END $$`,
    );
    await webhooks.database.query(
      `CREATE CONSTRAINT TRIGGER dawdle AFTER INSERT ON webhook_dispatcher.feed_event
         DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION webhook_dispatcher.dawdle()`,
    );
  }

  it('gives large events a few at a time, and tells that there are more', async () => {
    const count = 12;
    const result = 'x'.repeat(900_000);
    const data = { ...runCompleted.example!, result };
    for (let index = 0; index < count; index += 1) {
      await webhooks.runs.record([newEvent({ event: runCompleted, teamId: team.teamId, data })]);
    }
    for (const types of [undefined, 'run.completed,run.started']) {
      const all = await follow(count, () => 1000, types);
      expect(all.map((event) => (event.data as { result: string }).result.length)).toEqual(
        Array(count).fill(result.length),
      );
      const first = await page({ limit: '1000', ...(types && { types }) });
      expect(first.has_more).toBe(true);
      expect(first.events.length).toBeLessThan(count);
    }
  });

  it('has every event once, those of a run in their order, however writers interleave', async () => {
    await slowCommits();
    const runIds = Array.from({ length: writers }, () => uuidv7());
    const builds = (writers / 2) * roundsOfAWriter;
    const ofRuns = writers * roundsOfAWriter * 2;
    const upTo = (most: number) => () => random.whole(1, most);
    const [written, one, two, messagesAndBuilds] = await Promise.all([
      Promise.all(runIds.map((runId, index) => write(runId, index % 2 === 0))),
      follow(ofRuns + builds, upTo(7)),
      follow(ofRuns + builds, upTo(200)),
      follow(ofRuns / 2 + builds, upTo(10), 'run.message.created,assignment.build.published'),
    ]);
    const ids = (events: readonly EventEnvelope[]) => events.map(({ id }) => id);
    expect(one).toHaveLength(ofRuns + builds);
    expect(new Set(ids(one)).size).toBe(one.length);
    expect(ids(two)).toEqual(ids(one));
    expect(ids(messagesAndBuilds)).toEqual(ids(one.filter(({ event }) => event !== 'run.started')));
    for (const [index, runId] of runIds.entries()) {
      expect(ids(one.filter(({ data }) => data['run_id'] === runId))).toEqual(written[index]);
    }
    await webhooks.database.query('DROP TRIGGER dawdle ON webhook_dispatcher.feed_event');
  });

  const record = (...events: NewEvent[]) => webhooks.runs.record(events);
  const some = (count: number) => Array.from({ length: count }, () => exampleOf(runCompleted, team.teamId));

  it('comes in pages that say whether there is more', async () => {
    const ids = await record(...some(5));
    const idsOf = ({ events }: { events: EventEnvelope[] }) => events.map(({ id }) => id);
    await eventually(async () => expect(idsOf(await page())).toEqual(ids));
    const first = await page({ limit: '2' });
    expect([idsOf(first), first.has_more]).toEqual([ids.slice(0, 2), true]);
    const second = await page({ limit: '2', after: first.next_cursor });
    expect([idsOf(second), second.has_more]).toEqual([ids.slice(2, 4), true]);
    const third = await page({ limit: '2', after: second.next_cursor });
    expect([idsOf(third), third.has_more]).toEqual([ids.slice(4), false]);
    // A page that is exactly full is the last one all the same.
    expect((await page({ limit: '5' })).has_more).toBe(false);
  });

  it('keeps the cursor where it was as long as nothing comes', async () => {
    expect(await page()).toEqual({ events: [], next_cursor: '0', has_more: false });
    await record(...some(2));
    const { next_cursor: cursor } = await eventually(async () => {
      const answer = await page();
      expect(answer.events).toHaveLength(2);
      return answer;
    });
    const empty = { events: [], next_cursor: cursor, has_more: false };
    expect(await page({ after: cursor })).toEqual(empty);
    const [id] = await record(...some(1));
    await eventually(async () => expect((await page({ after: cursor })).events).toMatchObject([{ id }]));
  });

  it('can be read by type, with a cursor that goes for all', async () => {
    const events = [runStarted, runCompleted, humanRequestCreated, runStarted];
    const ids = (await record(...events.map((event) => exampleOf(event, team.teamId)))) as [string, string];
    await eventually(async () => expect((await page()).events).toHaveLength(4));
    const started = await page({ types: 'run.started', limit: '1' });
    expect([started.events.map(({ id }) => id), started.has_more]).toEqual([[ids[0]], true]);
    const rest = await page({ after: started.next_cursor });
    expect(rest.events.map(({ id }) => id)).toEqual(ids.slice(1));
    const both = await page({ types: 'human_request.created, run.started,run.started' });
    expect(both.events.map(({ event }) => event)).toEqual([
      'run.started',
      'human_request.created',
      'run.started',
    ]);
    expect((await page({ types: publicEventNames.join() })).events).toHaveLength(4);
    expect((await page({ types: 'queue.case.created' })).events).toEqual([]);
  });

  it.each([
    ['after', 'yesterday'],
    ['after', '-1'],
    ['after', '1.5'],
    ['after', '9'.repeat(30)],
    ['limit', '0'],
    ['limit', '1001'],
    ['limit', 'all'],
    ['types', 'run.exploded'],
    ['types', 'run.started,agent.deleted'],
    ['types', ''],
  ])('cannot be read with %s=%s', async (name, value) => {
    const { status, body } = await team.call(listEvents, { query: { [name]: value } });
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.message).toMatch(new RegExp(`^${name}\\b`));
  });

  it('is each team’s own', async () => {
    const stranger = webhooks.anotherTeam();
    const [mine, foreign] = (await record(
      exampleOf(runCompleted, team.teamId),
      exampleOf(runCompleted, stranger.teamId),
    )) as [string, string];
    await eventually(async () => {
      expect((await page()).events.map(({ id }) => id)).toEqual([mine]);
      expect((await stranger.succeed(listEvents)).events.map(({ id }) => id)).toEqual([foreign]);
    });
  });

  it('has the very envelopes that webhooks are sent', async () => {
    await team.subscribe(receiver.url(), runCompleted.name, runStarted.name);
    const result = 'Grüße, 世界 👋 \u2028 "quoted" \\';
    const ids = await record(
      exampleOf(runStarted, team.teamId),
      newEvent({
        event: runCompleted,
        teamId: team.teamId,
        data: { ...runCompleted.example!, result },
      }),
    );
    await eventually(() => expect(receiver.received).toHaveLength(ids.length));
    const { events } = await page();
    const sent = ids.map((id) => receiver.received.find((one) => one.id === id)!.rawBody.toString());
    expect(events.map((event) => JSON.stringify(event))).toEqual(sent);
  });
});
