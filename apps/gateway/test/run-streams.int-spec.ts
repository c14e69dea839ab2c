import { randomUUID } from 'node:crypto';
import { runProgress } from '@aos/contracts';
import { Broadcasts } from '@aos/messaging';
import { eventually, EventSource } from '@aos/testing';
import { RunsBehindGateway } from './runs-behind-gateway.js';

describe('the event stream of a run', () => {
  let product: RunsBehindGateway;
  let runId: string;
  let opened: EventSource[];

  beforeAll(async () => {
    product = await RunsBehindGateway.start();
  });

  afterAll(async () => {
    await product?.stop();
  });

  beforeEach(() => {
    opened = [];
    product.runs.pageSize = 100;
    product.runs.busy = false;
    runId = product.addRun();
  });

  afterEach(async () => {
    for (const source of opened) source.leave();
    await eventually(async () => expect(await product.open('streams')).toBe(0));
  });

  const pathOf = (run: string, after?: number) =>
    `/v2/runs/${run}/events${after === undefined ? '' : `?after=${after}`}`;

  async function open(
    options: { after?: number; lastEventId?: string; url?: string; key?: string } = {},
  ): Promise<EventSource> {
    const { after, lastEventId, url = product.gateway.url, key = product.key } = options;
    const source = await EventSource.open(`${url}${pathOf(runId, after)}`, {
      authorization: `Bearer ${key}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    });
    opened.push(source);
    return source;
  }

  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const pages = () => product.runs.pages.get(runId) ?? 0;

  it('gives all events of a run that has ended, over several pages, and ends', async () => {
    product.runs.pageSize = 2;
    product.runs.change(runId, { status: 'completed', events: 5 });
    const source = (await open()).read();
    expect(source.answer.statusCode).toBe(200);
    expect(source.answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String) as string,
      'ratelimit-limit': '6000',
      'ratelimit-remaining': expect.stringMatching(/^\d+$/) as string,
      'ratelimit-reset': expect.stringMatching(/^\d+$/) as string,
    });
    expect(await source.ended).toBe('end');
    expect(source.text.startsWith('retry: 1000\nid: 0\n\n')).toBe(true);
    expect(source.ids).toEqual([1, 2, 3, 4, 5]);
    expect(pages()).toBe(3);
    for (const { event, data } of source.frames) {
      expect(event).toBe('run.message.created');
      expect(Object.keys(data)).toEqual(['id', 'event', 'created_at', 'data']);
      expect(data).toMatchObject({ event, data: { run_id: runId } });
    }
  });

  it('HEAD has its headers and its refusals, and opens none', async () => {
    product.runs.pageSize = 2;
    product.runs.change(runId, { status: 'running', events: 5 });
    const head = (run: string, key = product.key) =>
      product.request(pathOf(run), { method: 'HEAD', headers: { authorization: `Bearer ${key}` } });
    const answer = await head(runId);
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-length')).toBeNull();
    expect([await product.open('streams'), pages()]).toEqual([0, 1]);
    expect((await head(randomUUID())).status).toBe(404);
    expect((await head(runId, 'aos_wrong')).status).toBe(401);
  });

  it('ends at once, with nothing but where it began, when there is no event left', async () => {
    product.runs.change(runId, { status: 'stopped', events: 2 });
    const source = (await open({ after: 2 })).read();
    expect(await source.ended).toBe('end');
    expect(source.text).toBe('retry: 1000\nid: 2\n\n');
  });

  it('follows a run at work, and ends with it', async () => {
    const source = (await open()).read();
    for (let seq = 1; seq <= 3; seq += 1) {
      product.runs.change(runId, { status: 'running', events: 1 });
      await eventually(() => expect(source.ids).toEqual(numbers(1, seq)));
    }
    product.runs.change(runId, { status: 'waiting', events: 500 });
    await eventually(() => expect(source.ids).toEqual(numbers(1, 503)));
    product.runs.change(runId, { status: 'completed', events: 1 });
    expect(await source.ended).toBe('end');
    expect(source.ids).toEqual(numbers(1, 504));
  });

  it('ends with the events that the news of the end brought, without asking for them', async () => {
    product.runs.change(runId, { status: 'running', events: 2 });
    const source = (await open()).read();
    await eventually(() => expect(source.ids).toEqual([1, 2]));
    product.runs.change(runId, { status: 'completed', events: 3, withEvents: true });
    expect(await source.ended).toBe('end');
    expect(source.ids).toEqual(numbers(1, 5));
    expect(source.frames.at(-1)!.data).toMatchObject({ data: { run_id: runId } });
    expect(pages()).toBe(1);
  });

  it('asks for what came before the events that the news of the end brought', async () => {
    product.runs.change(runId, { status: 'running', events: 2 });
    const source = (await open()).read();
    await eventually(() => expect(source.ids).toEqual([1, 2]));
    product.runs.change(runId, { events: 2, told: false });
    product.runs.change(runId, { status: 'completed', events: 1, withEvents: true });
    expect(await source.ended).toBe('end');
    expect(source.ids).toEqual(numbers(1, 5));
  });

  it('does not tell the end to a credential that was revoked', async () => {
    const { id, key } = await product.newKey();
    product.runs.change(runId, { status: 'running', events: 1 });
    const source = (await open({ key })).read();
    await eventually(() => expect(source.ids).toEqual([1]));
    await product.request(`/v2/teams/${product.teamId}/api-keys/${id}`, { method: 'DELETE' });
    await eventually(async () => {
      const headers = { authorization: `Bearer ${key}` };
      expect((await fetch(`${product.gateway.url}${pathOf(runId)}`, { headers })).status).toBe(401);
    });
    product.runs.change(runId, { status: 'completed', events: 1, withEvents: true });
    expect(await source.ended).toBe('end');
    expect(source.ids).toEqual([1]);
  });

  it('finds out by itself when news is lost', async () => {
    const source = (await open()).read();
    await eventually(() => expect(pages()).toBe(1));
    product.runs.change(runId, { status: 'running', events: 2, told: false });
    await eventually(() => expect(source.ids).toEqual([1, 2]));
    product.runs.change(runId, { status: 'completed', told: false });
    expect(await source.ended).toBe('end');
  });

  it.each([
    ['Last-Event-ID', { lastEventId: '3' }],
    ['after', { after: 3 }],
    ['Last-Event-ID, which wins over after', { lastEventId: '3', after: 1 }],
    ['Last-Event-ID in any spelling', { lastEventId: '003' }],
  ])('resumes without gap or repeat behind %s', async (_, options) => {
    product.runs.change(runId, { status: 'running', events: 4 });
    const source = (await open(options)).read();
    await eventually(() => expect(source.ids).toEqual([4]));
    product.runs.change(runId, { status: 'completed', events: 2 });
    expect(await source.ended).toBe('end');
    expect(source.ids).toEqual([4, 5, 6]);
  });

  it('takes the id of a run in capitals', async () => {
    const source = await EventSource.open(`${product.gateway.url}${pathOf(runId.toUpperCase())}`, {
      authorization: `Bearer ${product.key}`,
    });
    opened.push(source.read());
    await eventually(() => expect(pages()).toBe(1));
    product.runs.change(runId, { status: 'completed', events: 1, withEvents: true });
    expect(await source.ended).toBe('end');
    expect(source.ids).toEqual([1]);
    // Woken by the news: it would have asked otherwise.
    expect(pages()).toBe(1);
  });

  it.each(['', '-1', 'abc', '1.5', '2147483648'])('refuses the Last-Event-ID %j by name', async (header) => {
    const answer = await product.request(pathOf(runId), { headers: { 'last-event-id': header } });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: 'invalid_request', message: expect.stringContaining('Last-Event-ID') as string },
    ]);
  });

  it('passes on the owner’s refusals as JSON', async () => {
    const unknown = await product.request(pathOf(randomUUID()));
    expect(unknown.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { error: 'not_found', message: expect.any(String) as string },
    ]);
    const noNumber = await product.request(`${pathOf(runId)}?after=x`);
    expect([noNumber.status, await noNumber.json()]).toEqual([
      400,
      { error: 'invalid_request', message: expect.stringContaining('after') as string },
    ]);
  });

  it('is 503 while the owner is away, and goes on when it was away in the middle', async () => {
    product.runs.change(runId, { status: 'running', events: 3 });
    const source = (await open()).read();
    await eventually(() => expect(source.ids).toEqual([1, 2, 3]));
    await product.runs.stop();
    try {
      product.runs.change(runId, { events: 2 });
      const news = { run_id: runId, seq: 5, status: 'running' } as const;
      product.gateway.app.get(Broadcasts, { strict: false }).send(runProgress, [news]);
      const refused = await product.request(pathOf(runId));
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await refused.json()).toMatchObject({ error: 'unavailable' });
    } finally {
      await product.runs.start();
    }
    await eventually(() => expect(source.ids).toEqual([1, 2, 3, 4, 5]));
    product.runs.change(runId, { status: 'completed', events: 1 });
    expect(await source.ended).toBe('end');
    expect(source.ids).toEqual(numbers(1, 6));
  });

  it('goes on when a page was refused for the moment', async () => {
    const source = (await open()).read();
    product.runs.busy = true;
    product.runs.change(runId, { status: 'completed', events: 2 });
    await eventually(() => expect(pages()).toBeGreaterThanOrEqual(3));
    expect(source.ids).toEqual([]);
    product.runs.busy = false;
    expect(await source.ended).toBe('end');
    expect(source.ids).toEqual([1, 2]);
  });

  it('ends when the run is gone', async () => {
    product.runs.change(runId, { status: 'running', events: 1 });
    const source = (await open()).read();
    await eventually(() => expect(source.ids).toEqual([1]));
    product.runs.remove(runId);
    expect(await source.ended).toBe('end');
  });

  it('ends soon after its credential was revoked', async () => {
    const { id, key } = await product.newKey();
    const source = (await open({ key })).read();
    product.runs.change(runId, { status: 'running', events: 1 });
    await eventually(() => expect(source.ids).toEqual([1]));
    await product.request(`/v2/teams/${product.teamId}/api-keys/${id}`, { method: 'DELETE' });
    expect(await source.ended).toBe('end');
    expect(source.ids).toEqual([1]);
  });

  it('gives a sign of life in a long silence', async () => {
    const gateway = await product.anotherGateway({ EVENT_STREAM_KEEP_ALIVE_MS: '100' });
    try {
      const source = (await open({ url: gateway.url })).read();
      await eventually(() => expect(source.comments).toBeGreaterThanOrEqual(2));
      expect(source.text).toBe(`retry: 1000\nid: 0\n\n${': keep-alive\n\n'.repeat(source.comments)}`);
      source.leave();
    } finally {
      await gateway.close();
    }
  });

  it('serves many clients of one run', async () => {
    const sources = await Promise.all(Array.from({ length: 50 }, () => open()));
    for (const source of sources) source.read();
    expect(await product.open('streams')).toBe(50);
    product.runs.change(runId, { status: 'running', events: 3 });
    await eventually(() => {
      for (const source of sources) expect(source.ids).toEqual([1, 2, 3]);
    });
    product.runs.change(runId, { status: 'completed', events: 1 });
    for (const source of sources) expect(await source.ended).toBe('end');
    for (const source of sources) expect(source.ids).toEqual([1, 2, 3, 4]);
  });

  it('asks for no more pages than its client reads, and goes on when it does', async () => {
    const total = 120;
    product.runs.pageSize = 1;
    product.runs.change(runId, { status: 'completed', events: total, textLength: 500_000 });
    const source = await open();
    const asked = await settled(pages);
    // What fits between the two ends: the buffers of both sockets take some megabytes.
    expect(asked).toBeLessThan(total / 2);
    source.read();
    expect(await source.ended).toBe('end');
    expect(source.ids).toEqual(numbers(1, total));
    expect(pages()).toBe(total);
  });

  it('lets go of everything when its client goes, also one that does not read', async () => {
    const idle = (await open()).read();
    const busy = runId;
    runId = product.addRun();
    product.runs.pageSize = 1;
    product.runs.change(runId, { status: 'completed', events: 60, textLength: 500_000 });
    const stalled = await open();
    await settled(pages);
    expect(await product.open('streams')).toBe(2);
    stalled.leave();
    idle.leave();
    await eventually(async () => expect(await product.open('streams')).toBe(0));
    expect(pages()).toBeLessThan(60);
    expect(product.runs.pages.get(busy)).toBeGreaterThanOrEqual(1);
  });

  it('ends with the process, whether its client reads or not, and the shutdown is clean', async () => {
    const gateway = await product.anotherGateway();
    const { url } = gateway;
    product.runs.change(runId, { status: 'running', events: 2 });
    const idle = (await open({ url })).read();
    await eventually(() => expect(idle.ids).toEqual([1, 2]));

    runId = product.addRun();
    product.runs.pageSize = 1;
    product.runs.change(runId, { status: 'completed', events: 60, textLength: 500_000 });
    const stalled = await open({ url });
    await settled(pages);
    expect(await product.open('streams', url)).toBe(2);

    expect((await gateway.shutdown.run('a test')).clean).toBe(true);
    expect(await idle.ended).toBe('end');
    expect(await stalled.read().ended).toBe('cut');
    await gateway.close();
  });
});

/** The value once it has stood still for a while. */
async function settled(read: () => number): Promise<number> {
  const seen: number[] = [];
  await eventually(() => {
    seen.push(read());
    const recent = seen.slice(-10);
    expect(recent).toEqual(Array<number>(10).fill(recent[0]!));
    expect(recent[0]).toBeGreaterThan(0);
  });
  return seen.at(-1)!;
}
