import { createAgent, listEvents, startRun, type EventEnvelope } from '@aos/contracts';
import { EventSource, eventually } from '@aos/testing';
import { connectToDeployment, type Deployment } from '../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../src/team.js';
import type { ApiClient } from '../src/api-client.js';

describe('following a team', () => {
  let product: Deployment;
  let admin: ApiClient;
  let team: Team;
  let agentId: string;
  const open: EventSource[] = [];

  beforeAll(async () => {
    product = await connectToDeployment();
    admin = await connectAdmin(product);
  });

  beforeEach(async () => {
    team = await newTeam(admin);
    const made = { params: { teamId: team.id }, body: { build: { config: { data: { input: 'Help.' } } } } };
    agentId = (await team.client.succeed<{ agent_id: string }>(createAgent, made)).agent_id;
  });

  afterEach(() => {
    for (const source of open.splice(0)) source.leave();
  });

  afterAll(async () => {
    await product?.disconnect();
  });

  async function follow(query = '', headers: Record<string, string> = {}): Promise<EventSource> {
    const url = `${product.urls[0]}/v2/teams/${team.id}/events/stream${query}`;
    const source = await EventSource.open(url, { authorization: `Bearer ${team.key}`, ...headers });
    open.push(source);
    return source.read();
  }

  /** A run that completes; its id. */
  async function run(): Promise<string> {
    const body = { agent_id: agentId, message: 'Hello', wait_seconds: 30 };
    const { run_id } = await team.client.succeed<{ run_id: string }>(startRun, {
      params: { teamId: team.id },
      body,
    });
    return run_id;
  }

  async function feed(after = '0'): Promise<EventEnvelope[]> {
    const query = { after, limit: '1000' };
    return (
      await team.client.succeed<{ events: EventEnvelope[] }>(listEvents, {
        params: { teamId: team.id },
        query,
      })
    ).events;
  }

  /** When the stream has come to the end of the run. */
  const until = (source: EventSource, runId: string) =>
    eventually(() =>
      expect(source.frames.map(({ event, data }) => [event, data.data['run_id']])).toContainEqual([
        'run.completed',
        runId,
      ]),
    );

  it('gives what happens from now on, as the feed has it', async () => {
    await run();
    await eventually(async () => expect((await feed()).at(-1)?.event).toBe('run.completed'));
    const before = (await feed()).length;
    const source = await follow();
    expect([source.answer.statusCode, source.answer.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    const runId = await run();
    await until(source, runId);
    expect(source.frames.map(({ data }) => data)).toEqual((await feed()).slice(before));
    expect(source.frames.every(({ event, data }) => data.event === event)).toBe(true);
  });

  it('begins with the oldest event behind 0, and goes on behind a cursor, which the header names first', async () => {
    await run();
    const whole = await follow('?after=0');
    await until(whole, await run());
    const ids = whole.ids;
    expect(ids).toEqual([...ids].sort((one, other) => one - other));
    const last = whole.frames.at(-1)!;
    const middle = ids[Math.floor(ids.length / 2)]!;
    const [byQuery, byHeader] = [
      await follow(`?after=${middle}`),
      await follow('?after=0', { 'last-event-id': String(middle) }),
    ];
    for (const resumed of [byQuery, byHeader]) {
      await eventually(() => expect(resumed.frames.at(-1)).toEqual(last));
      expect(resumed.frames).toEqual(whole.frames.slice(ids.indexOf(middle) + 1));
    }
  });

  it('tells at once where it begins, so that who is cut off before the first event misses none', async () => {
    await run();
    await eventually(async () => expect((await feed()).at(-1)?.event).toBe('run.completed'));
    const cut = await follow();
    const start = await eventually(() => {
      expect(cut.text).toMatch(/^retry: 1000\nid: \d+\n\n/);
      return /id: (\d+)/.exec(cut.text)![1]!;
    });
    cut.leave();
    const missed = (await feed()).length;
    const runId = await run();
    await eventually(async () => expect((await feed(start)).at(-1)?.event).toBe('run.completed'));
    const resumed = await follow('', { 'last-event-id': start });
    await until(resumed, runId);
    expect(resumed.frames.map(({ data }) => data)).toEqual((await feed()).slice(missed));
    expect(resumed.text.startsWith(`retry: 1000\nid: ${start}\n\n`)).toBe(true);
  });

  it('gives only the events that were asked for', async () => {
    const source = await follow('?types=run.completed,run.started');
    const runs = [await run(), await run()];
    await until(source, runs[1]!);
    expect(source.frames.map(({ event, data }) => [event, data.data['run_id']])).toEqual(
      runs.flatMap((runId) => [
        ['run.started', runId],
        ['run.completed', runId],
      ]),
    );
  });

  it('gives nothing of another team', async () => {
    const source = await follow();
    const mine = team;
    team = await newTeam(admin);
    const made = { params: { teamId: team.id }, body: { build: { config: { data: { input: 'Help.' } } } } };
    agentId = (await team.client.succeed<{ agent_id: string }>(createAgent, made)).agent_id;
    const theirs = await follow();
    await until(theirs, await run());
    expect(source.frames).toEqual([]);
    expect(mine.id).not.toBe(team.id);
  });

  it.each(['?after=-1', '?after=x', '?types=run.eaten'])('refuses %s by name', async (query) => {
    const source = await follow(query);
    expect(source.answer.statusCode).toBe(400);
    await eventually(() => expect(source.text).toContain(query.slice(1, 6)));
  });
});
