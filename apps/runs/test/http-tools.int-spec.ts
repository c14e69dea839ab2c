import { getWorkflowExecutionReport, stopRun } from '@aos/contracts';
import { eventually } from '@aos/testing';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';
import { agentWith, hang, linesOf, perform, startSite, type Call, type Site } from './tools-under-test.js';

interface Shown {
  readonly status: number;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly encoding?: string;
  readonly truncated?: boolean;
}

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]);

describe('HTTP requests of a run', () => {
  let runs: RunsUnderTest;
  let site: Site;
  let elsewhere: Site;

  beforeAll(async () => {
    elsewhere = await startSite({ '/landed': (response) => response.end('elsewhere') });
    site = await startSite({
      '/echo': (response, request) => {
        response.setHeader('x-answered', 'yes');
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ method: request.method, body: request.body }));
      },
      '/teapot': (response) => void response.writeHead(418).end('short and stout'),
      '/png': (response) => response.end(png),
      '/cookies': (response) => response.setHeader('set-cookie', ['a=1', 'b=2']).end(),
      '/long': (response) => response.end('x' + 'ä'.repeat(200_000)),
      '/moved': (response) => void response.writeHead(302, { location: '/moved-again' }).end(),
      '/moved-again': (response) => void response.writeHead(307, { location: '/echo' }).end(),
      '/away': (response) => void response.writeHead(301, { location: elsewhere.url('/landed') }).end(),
      '/circle': (response) => void response.writeHead(302, { location: '/circle' }).end(),
      '/inside': (response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      '/file': (response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      '/hang': hang,
    });
    runs = await startRuns({ environment: { EGRESS_ALLOW_CIDRS: '127.0.0.0/8' } });
  });

  afterAll(async () => {
    await runs?.stop();
    await Promise.all([site?.close(), elsewhere?.close()]);
  });

  const request = (method: string, path: string, more: object = {}): Call => {
    return ['http_request', { method, url: site.url(path), ...more }];
  };

  it('use the methods, headers and bodies that they name', async () => {
    const { ends } = await perform(runs, [
      request('get', '/echo', { headers: { 'X-Mine': 'hello', Authorization: 'Bearer x' } }),
      request('POST', '/echo', { body: { a: [1, 'ü'] } }),
      request('PUT', '/echo', { body: 'plain', headers: { 'content-type': 'text/plain' } }),
      request('PATCH', '/echo', { body: [1], headers: { 'Content-Type': 'application/merge-patch+json' } }),
      request('DELETE', '/echo'),
      request('OPTIONS', '/echo'),
      request('HEAD', '/echo'),
      request('GET', '/teapot'),
    ]);
    const shown = ends.map(({ result }) => result as Shown);
    expect(shown[0]).toMatchObject({ status: 200, url: site.url('/echo'), headers: { 'x-answered': 'yes' } });
    const bodies = shown.slice(0, 6).map(({ body }) => JSON.parse(body) as unknown);
    expect(bodies).toEqual([
      { method: 'GET', body: '' },
      { method: 'POST', body: '{"a":[1,"ü"]}' },
      { method: 'PUT', body: 'plain' },
      { method: 'PATCH', body: '[1]' },
      { method: 'DELETE', body: '' },
      { method: 'OPTIONS', body: '' },
    ]);
    expect(shown[6]).toMatchObject({ status: 200, body: '', headers: { 'x-answered': 'yes' } });
    expect(shown[7]).toMatchObject({ status: 418, body: 'short and stout' });
    const [get, post, put, patch] = site.at('/echo').map(({ headers }) => headers);
    expect(get).toMatchObject({ 'x-mine': 'hello', authorization: 'Bearer x' });
    expect([post, put, patch].map((headers) => headers!['content-type'])).toEqual([
      'application/json',
      'text/plain',
      'application/merge-patch+json',
    ]);
  });

  it('show every cookie that is set', async () => {
    const { ends } = await perform(runs, [request('GET', '/cookies')]);
    expect(ends[0]?.result).toMatchObject({ status: 200, headers: { 'set-cookie': ['a=1', 'b=2'] } });
  });

  it('show bytes that are no text in base64, and the beginning of long answers', async () => {
    const { ends } = await perform(runs, [request('GET', '/png'), request('GET', '/long')]);
    expect(ends[0]!.result).toMatchObject({ body: png.toString('base64'), encoding: 'base64' });
    const long = ends[1]!.result as Shown;
    expect([long.truncated, long.encoding]).toEqual([true, undefined]);
    expect(Buffer.byteLength(long.body)).toBe(256 * 1024 - 1);
    expect(long.body.endsWith('ää')).toBe(true);
  });

  it('follow redirects where asking twice does no harm, and take no secrets along', async () => {
    const secrets = { Authorization: 'Bearer secret', Cookie: 'a=b', 'X-Kept': '1' };
    const before = site.at('/echo').length;
    const { ends } = await perform(runs, [
      request('GET', '/moved', { headers: secrets }),
      request('GET', '/away', { headers: secrets }),
      request('POST', '/moved', { body: 'once' }),
      request('GET', '/circle'),
      request('GET', '/inside'),
      request('GET', '/file'),
    ]);
    const shown = ends.map(({ result }) => result as Shown | undefined);
    expect(shown[0]).toMatchObject({ status: 200, url: site.url('/echo') });
    const [followed, ...others] = site.at('/echo').slice(before);
    expect([followed!.headers.authorization, others]).toEqual(['Bearer secret', []]);
    expect(shown[1]).toMatchObject({ status: 200, url: elsewhere.url('/landed'), body: 'elsewhere' });
    const { headers } = elsewhere.at('/landed')[0]!;
    expect([headers.authorization, headers.cookie, headers['x-kept']]).toEqual([undefined, undefined, '1']);
    expect(shown[2]).toMatchObject({ status: 302, headers: { location: '/moved-again' } });
    expect(site.at('/moved-again').map(({ method }) => method)).toEqual(['GET']);
    expect(shown[3]).toMatchObject({ status: 302 });
    expect(site.at('/circle')).toHaveLength(6);
    expect(ends[4]!.error).toMatch(/10\.0\.0\.1|address/);
    expect(ends[5]!.error).toMatch(/http/);
  });

  it('refuse what is not theirs to say', async () => {
    const before = site.seen.length;
    const { ends } = await perform(runs, [
      request('GET', '/echo', { headers: { Host: 'other.example' } }),
      request('POST', '/echo', { headers: { 'Content-Length': '1' }, body: 'x' }),
      request('POST', '/echo', { headers: { 'transfer-encoding': 'chunked' } }),
      request('GET', '/echo', { headers: { 'x-a': 'b\r\nx-c: d' } }),
      request('GET', '/echo', { headers: { 'x a': 'b' } }),
      request('TRACE', '/echo'),
      ['http_request', { method: 'GET', url: 'not an address' }],
      ['http_request', { method: 'GET', url: 'file:///etc/passwd' }],
      ['http_request', { method: 'GET', url: 'http://localhost:1/' }],
      ['http_request', { url: site.url() }],
    ]);
    expect(ends.map(({ error }) => typeof error)).toEqual(ends.map(() => 'string'));
    for (const { error } of ends.slice(0, 5)) expect(error).toContain('headers');
    expect(site.seen).toHaveLength(before);
  });

  it('are tried again where nobody listens, if that does no harm', async () => {
    const gone = await startSite({});
    await gone.close();
    const { run, ends } = await perform(runs, [
      ['http_request', { method: 'GET', url: gone.url() }],
      ['http_request', { method: 'POST', url: gone.url() }],
    ]);
    expect(ends.map(({ error }) => error)).toEqual(Array(2).fill('The connection was refused.'));
    const params = { agentId: run.agent_id, runId: run.id };
    const { body } = await runs.call(getWorkflowExecutionReport, { params });
    const calls = body.steps.filter(({ kind }) => kind === 'tool');
    expect(calls.map(({ status, attempts }) => [status, attempts])).toEqual([
      ['failed', 5],
      ['failed', 1],
    ]);
  });

  it('end when the run is stopped', async () => {
    const agentId = await agentWith(runs, [...linesOf([request('GET', '/hang')]), 'finish done']);
    const { id } = await runs.start(agentId);
    await eventually(() => expect(site.at('/hang')).toHaveLength(1));
    const before = site.abandoned();
    await runs.call(stopRun, { params: { run_id: id } });
    await eventually(() => expect(site.abandoned()).toBe(before + 1), { timeoutMs: 5_000 });
    expect((await runs.show(id)).run.status).toBe('stopped');
  });
});

describe('HTTP requests of a run to the inside', () => {
  let runs: RunsUnderTest;
  let site: Site;

  beforeAll(async () => {
    site = await startSite({ '/': 'secret' });
    runs = await startRuns();
  });

  afterAll(async () => {
    await runs?.stop();
    await site?.close();
  });

  it('are refused, however the address is spelt', async () => {
    const hosts = ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost', 'db.internal'];
    const { ends } = await perform(
      runs,
      hosts.map((host) => ['http_request', { method: 'GET', url: `http://${host}:${site.port}/` }]),
    );
    for (const [index, { error }] of ends.entries()) {
      expect([hosts[index], typeof error]).toEqual([hosts[index], 'string']);
      expect(error).not.toContain('secret');
    }
    expect(site.seen).toEqual([]);
  });
});
