import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { canKeepApart, findChromium } from '@aos/browser';
import {
  getAgentRunScreenshotTimeline,
  getRunScreenshotTimeline,
  listBrowserSessionPages,
  listPluginCatalog,
  listRunMessages,
  type RunMessage,
  type OperationResponse,
} from '@aos/contracts';
import { describeWhere } from '@aos/testing';
import { makeAgent, makeRun, steps } from '../../src/sample-agents.js';
import { startStack, type Stack } from '../../src/stack.js';
import { connectAdmin, newTeam, type Team } from '../../src/team.js';

const chromium = await findChromium({ path: process.env['PATH'] ?? '' });
const needed = { isThere: chromium !== undefined, missing: 'no Chromium on the PATH' };

const page = `<!doctype html><title>Shop</title>
  <input id="who"><button onclick="document.querySelector('p').textContent = 'Hello, ' + who.value">Greet</button>
  <p>Nobody</p>`;
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

interface Shot {
  readonly session_id: string;
  readonly action: string;
  readonly width: number;
  readonly height: number;
  readonly url: string;
  readonly title: string;
  readonly download_url: string;
}

describe('what agents can be given', () => {
  it('is in the catalog, with the browser where there is one', async () => {
    const stack = await startStack({ services: ['runs', 'connections'] });
    try {
      const team = await newTeam(await connectAdmin(stack));
      const { plugins } =
        await team.client.succeed<OperationResponse<typeof listPluginCatalog>>(listPluginCatalog);
      const configured = (type: string) =>
        Object.fromEntries(
          plugins.filter((plugin) => plugin.type === type).map((plugin) => [plugin.name, plugin.configured]),
        );
      expect(configured('tool')).toEqual({
        human: true,
        files: true,
        memory: true,
        code: true,
        http: true,
        browser: chromium !== undefined,
        cases: true,
        agents: true,
      });
      expect(configured('connector')).toMatchObject({ github: false, slack: false, google: false });
    } finally {
      await stack.stop();
    }
  });
});

describeWhere(needed, 'the browser of a run', () => {
  let stack: Stack;
  let team: Team;
  let site: Server;
  let url: string;

  beforeAll(async () => {
    site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(page));
    await once(site.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    stack = await startStack({
      services: ['runs', 'agents-and-revisions'],
      // Off only where neither another user nor a namespace can be had.
      environment: { BROWSER_SANDBOX: (await canKeepApart()) ? 'on' : 'off' },
    });
    team = await newTeam(await connectAdmin(stack));
  });

  afterAll(async () => {
    await stack?.stop();
    site?.close();
  });

  it('can be looked at afterwards, action by action', async () => {
    const agentId = await makeAgent(
      team,
      steps(
        `tool browser_open {"url": "${url}"}`,
        'tool browser_type {"selector": "#who", "text": "Ada"}',
        'tool browser_click {"selector": "button"}',
        'tool browser_read {"selector": "p"}',
        'finish {{result}}',
      ),
    );
    const runId = await makeRun(team, agentId, { wait_seconds: 60 });
    const timeline = await team.client.succeed<{ screenshots: Shot[]; total: number }>(
      getRunScreenshotTimeline,
      { params: { run_id: runId } },
    );
    const alias = { params: { agent_id: agentId, run_id: runId } };
    expect(await team.client.succeed(getAgentRunScreenshotTimeline, alias)).toMatchObject({
      total: timeline.total,
    });
    expect(timeline.screenshots.map(({ action, title }) => [action, title])).toEqual(
      ['open', 'type', 'click', 'read'].map((action) => [action, 'Shop']),
    );
    for (const { download_url: link, width, height } of timeline.screenshots) {
      const answer = await fetch(link);
      const png = Buffer.from(await answer.arrayBuffer());
      expect(answer.headers.get('content-type')).toBe('image/png');
      expect(png.subarray(0, 8).equals(pngSignature)).toBe(true);
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([width, height]);
    }
    const sessionId = timeline.screenshots[0]!.session_id;
    const { pages } = await team.client.succeed<{ pages: { url: string }[] }>(listBrowserSessionPages, {
      params: { session_id: sessionId },
    });
    expect(pages).toMatchObject([{ url, title: 'Shop' }]);
    const { messages } = await team.client.succeed<{ messages: RunMessage[] }>(listRunMessages, {
      params: { run_id: runId },
    });
    expect(messages.at(-1)?.text_content).toContain('Hello, Ada');
  });

  it('opens neither files nor itself, nor the inside of the network', async () => {
    const addresses = ['file:///etc/passwd', 'chrome://version', 'http://localhost/', 'http://10.0.0.1/'];
    const calls = addresses.map((address) => `tool browser_open {"url": "${address}"}`);
    const runId = await makeRun(team, await makeAgent(team, steps(...calls, 'finish Done')), {
      wait_seconds: 60,
    });
    const { messages } = await team.client.succeed<{ messages: RunMessage[] }>(listRunMessages, {
      params: { run_id: runId },
      query: { limit: '50' },
    });
    const results = messages.flatMap(({ tool_result: result }) => result ?? []);
    expect(results.map(({ error }) => typeof error)).toEqual(addresses.map(() => 'string'));
  });
});
