import { createAgent, getRun, startRun } from '@aos/contracts';
import { EventSource, ofStorm, seededRandom, type Frame } from '@aos/testing';
import { connectToDeployment, type Deployment } from '../../../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../../../src/team.js';

const says = ofStorm({ short: 296, long: 996 });
const cuts = ofStorm({ short: 15, long: 50 });
const maxStreamEvents = 30;
const random = seededRandom();

describe('following a run', () => {
  let product: Deployment;
  let team: Team;

  beforeAll(async () => {
    product = await connectToDeployment();
    team = await newTeam(await connectAdmin(product));
  });

  afterAll(async () => {
    await product?.disconnect();
  });

  async function start<Answer>(steps: readonly string[], more = {}): Promise<Answer> {
    const params = { teamId: team.id };
    const input = ['```steps', ...steps, '```'].join('\n');
    const config = { data: { input, options: { max_steps: 1000 } } };
    const { agent_id } = await team.client.succeed<{ agent_id: string }>(createAgent, {
      params,
      body: { build: { config } },
    });
    const request = { params, body: { agent_id, message: 'begin', ...more } };
    return team.client.succeed<Answer>(startRun, request);
  }

  const begin = async (steps: readonly string[]) => (await start<{ run_id: string }>(steps)).run_id;

  /** Reads from one of the gateways until the stream ends, or as many events as it is told to. */
  async function follow(
    runId: string,
    after: number,
    most: number,
  ): Promise<{ frames: Frame[]; ended: boolean }> {
    const base = product.urls[after % product.urls.length]!;
    const headers = { authorization: `Bearer ${team.key}`, 'last-event-id': String(after) };
    const source = await EventSource.open(`${base}/v2/runs/${runId}/events`, headers);
    expect(source.answer.statusCode).toBe(200);
    const enough = new Promise<'enough'>((resolve) => {
      source.answer.on('data', () => {
        if (source.frames.length >= most) resolve('enough');
      });
    });
    source.read();
    const how = await Promise.race([source.ended, enough]);
    source.leave();
    return { frames: source.frames.slice(0, most), ended: how === 'end' && source.frames.length <= most };
  }

  it('from its start to its end tells what is told of it afterwards, how it was judged included', async () => {
    const waited = await start<{ run_id: string; run: object }>(['finish Done'], { wait_seconds: 30 });
    expect(waited.run).toMatchObject({ eval_summary: { passed: 4, total: 4, has_issues: false } });
    const params = { run_id: waited.run_id };
    const { run } = await team.client.succeed<{ run: object }>(getRun, { params });
    expect(waited.run).toEqual(run);
  });

  it('gives every event once, however often the connection is cut', async () => {
    const runId = await begin([...Array.from({ length: says }, (_, n) => `say ${n}`), 'finish Done']);
    const seen: Frame[] = [];
    let streams = 0;
    for (let ended = false; !ended;) {
      streams += 1;
      const last = Number(seen.at(-1)?.id ?? 0);
      const most = streams <= cuts ? random.whole(1, maxStreamEvents) : Infinity;
      const read = await follow(runId, last, most);
      seen.push(...read.frames);
      ended = read.ended;
    }
    // The last one, which reads to the end, comes after all the others unless they have read everything.
    expect(streams).toBeGreaterThan(Math.min(cuts, says / maxStreamEvents));
    const ids = seen.map(({ id }) => Number(id));
    expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => index + 1));
    expect(new Set(seen.map(({ data }) => data.id)).size).toBe(seen.length);
    // The message, the start, each text, the last one, the end.
    expect(seen).toHaveLength(1 + 1 + says + 1 + 1);
    expect(seen.at(-1)!.event).toBe('run.completed');
    expect(seen.every(({ event, data }) => data.event === event && data.data['run_id'] === runId)).toBe(true);

    const whole = await follow(runId, 0, Infinity);
    expect(whole.ended).toBe(true);
    expect(whole.frames).toEqual(seen);
  });
});
