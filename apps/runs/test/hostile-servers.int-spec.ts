import type { ServerResponse } from 'node:http';
import { McpClient, McpFailure } from '@aos/mcp-client';
import { eventually, startMcpServer, type McpRequestSeen, type TestMcpServer } from '@aos/testing';
import { connect, startConnectedRuns, type ConnectedRuns } from './connected-runs.js';
import { agentWith } from './tools-under-test.js';

const mebibyte = 1024 * 1024;
const never = new AbortController().signal;

const tool = (name: string, description = '') => ({ name, description, inputSchema: { type: 'object' } });
const page = (id: unknown, tools: string, nextCursor = '') =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"resultType":"complete","ttlMs":1,"cacheScope":"private","tools":[${tools}]${nextCursor}}}`;
/** Another for each page. */
const nextCursor = (id: unknown) => `,"nextCursor":"after ${JSON.stringify(id)}"`;
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** How a list of tools is answered, for what reason it is refused, and how many of its pages are asked for at most. */
const attacks: [string, (id: unknown) => string, RegExp, number][] = [
  [
    'one page of 15 MiB',
    (id) => page(id, JSON.stringify(tool('a', 'x'.repeat(15 * mebibyte)))),
    /larger than/,
    1,
  ],
  ['small arrays without end', (id) => page(id, `${'[],'.repeat(600_000)}[]`), /too many parts/, 1],
  ['60,000 levels', (id) => page(id, `{"name":"a","inputSchema":${nested(60_000)}}`), /nested too deeply/, 1],
  [
    'pages without end',
    (id) => page(id, JSON.stringify(tool('a', 'x'.repeat(100_000))), nextCursor(id)),
    /larger than/,
    22,
  ],
];

describe('an MCP server that means harm', () => {
  let server: TestMcpServer;

  beforeEach(async () => {
    server = await startMcpServer({}, { name: 'any', call: () => ({ content: [] }) });
  });

  afterEach(() => server.close());

  function answerLists(answer: (request: McpRequestSeen, response: ServerResponse) => void): void {
    server.intercept = (request, response) => {
      if (request.method !== 'tools/list') return false;
      answer(request, response);
      return true;
    };
  }

  async function list(timeoutMs = 8_000): Promise<unknown> {
    const client = await McpClient.connect({
      url: server.url,
      teamId: 'team',
      fetch,
      timeoutMs,
      signal: never,
    });
    try {
      return await client.listTools(never);
    } catch (error) {
      return error;
    } finally {
      await client.close();
    }
  }

  it.each(attacks)('is refused for %s', async (_, answer, reason, maxPages) => {
    answerLists(({ id }, response) => response.setHeader('content-type', 'application/json').end(answer(id)));
    expect(await list()).toMatchObject({ kind: 'invalid', message: expect.stringMatching(reason) as string });
    expect(server.of('tools/list').length).toBeLessThanOrEqual(maxPages);
  });

  it.each(attacks)('is refused for %s in a stream of events', async (_, answer, reason) => {
    answerLists(({ id }, response) =>
      response.setHeader('content-type', 'text/event-stream').end(`data: ${answer(id)}\n\n`),
    );
    expect(await list()).toMatchObject({ kind: 'invalid', message: expect.stringMatching(reason) as string });
  });

  it('is given up where its list comes byte by byte', async () => {
    answerLists((_request, response) => {
      response.setHeader('content-type', 'application/json');
      const drip = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(drip));
    });
    expect(await list(3_000)).toMatchObject({ kind: 'timeout' });
  });

  it('is given up where its pages come slowly, however many come in time', async () => {
    answerLists(({ id }, response) => {
      response.setHeader('content-type', 'application/json');
      setTimeout(() => response.end(page(id, JSON.stringify(tool('a')), nextCursor(id))), 200);
    });
    expect(await list(3_000)).toMatchObject({ kind: 'timeout' });
  });

  it('is asked for no further page once a thousand tools are listed', async () => {
    const fourHundred = Array.from({ length: 400 }, () => JSON.stringify(tool('a'))).join();
    answerLists(({ id }, response) =>
      response.setHeader('content-type', 'application/json').end(page(id, fourHundred, nextCursor(id))),
    );
    expect(await list()).toHaveLength(1_000);
    expect(server.of('tools/list')).toHaveLength(3);
  });

  it('loses the tools whose schemas are too large, and no others', async () => {
    const large = { type: 'object', properties: { a: { description: 'x'.repeat(40_000) } } };
    answerLists(({ id }, response) =>
      response
        .setHeader('content-type', 'application/json')
        .end(
          page(
            id,
            `${JSON.stringify(tool('small'))},${JSON.stringify({ ...tool('large'), inputSchema: large })}`,
          ),
        ),
    );
    expect(await list()).toMatchObject([{ name: 'small' }]);
  });

  it('loses the largest of its answers where all together are too large', async () => {
    const held: { response: ServerResponse; rest: string }[] = [];
    answerLists(({ id }, response) => {
      const text = page(id, JSON.stringify(tool('a', 'x'.repeat(1.5 * mebibyte))));
      response.setHeader('content-type', 'application/json');
      response.write(text.slice(0, -10));
      held.push({ response, rest: text.slice(-10) });
    });
    let dropped = 0;
    const lists = Array.from({ length: 14 }, async () => {
      const listed = await list(30_000);
      if (!(listed instanceof McpFailure)) return listed;
      dropped += 1;
      return listed.kind;
    });
    // The remaining ten answers fit into the limit.
    await eventually(() => expect([held.length, dropped]).toEqual([14, 4]));
    for (const { response, rest } of held) response.end(rest);
    const ended = await Promise.all(lists);
    expect(ended.filter((outcome) => outcome === 'broken')).toHaveLength(4);
    expect(ended.filter((outcome) => Array.isArray(outcome))).toHaveLength(10);
  });

  describe('of a run', () => {
    let runs: ConnectedRuns;

    beforeAll(async () => {
      runs = await startConnectedRuns();
    });

    afterAll(() => runs?.stop());

    it('fails the run alone, which says why', async () => {
      const id = await connect(runs, server.url, { name: 'Endless' });
      answerLists(({ id: request }, response) =>
        response.setHeader('content-type', 'application/json').end(attacks[0]![1](request)),
      );
      const { id: runId } = await runs.start(await agentWith(runs, ['finish done'], { connections: [id] }));
      expect((await runs.reach(runId, 'failed')).run.error).toMatchObject({
        code: 'connection_unavailable',
        message: expect.stringContaining('larger than') as string,
      });
    });
  });
});
