import {
  createArtifact,
  getArtifact,
  publishArtifact,
  startNativeOAuth,
  type Artifact,
} from '@aos/contracts';
import { consentInBrowser, describeWhere, eventually } from '@aos/testing';
import type { Page } from 'playwright-core';
import { chromiumNeeded, ConsoleBrowser, signInByKey } from '../../src/console/console-browser.js';
import { oauthProvider } from '../../src/oauth-surroundings.js';
import { startReverseProxy, type ReverseProxy } from '../../src/reverse-proxy.js';
import { makeAgent, makeRun, steps } from '../../src/sample-agents.js';
import { servicesBehindGateway, startStack, type Stack } from '../../src/stack.js';
import { connectAdmin, newTeam, type Team } from '../../src/team.js';

const path = '/tools/aos';
const allowedHost = 'app.test';
const foreignHost = 'evil.test';

describeWhere(chromiumNeeded, 'the product below a path, behind TLS', () => {
  let proxy: ReverseProxy;
  let stack: Stack;
  let team: Team;
  let browser: ConsoleBrowser;
  let base: string;
  /** What pages asked the product for, and was refused. */
  let refused: string[];

  beforeAll(async () => {
    proxy = await startReverseProxy(path, [allowedHost, foreignHost]);
    base = `https://agents.test:${proxy.port}${path}`;
    stack = await startStack({
      together: true,
      services: servicesBehindGateway,
      publicUrl: () => base,
      environment: { CORS_ALLOWED_ORIGINS: `https://${allowedHost}:${proxy.port}` },
    });
    proxy.target = stack.urls[0]!;
    team = await newTeam(await connectAdmin(stack), 'Tools');
    browser = await ConsoleBrowser.start();
  });

  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await proxy?.close();
  });

  beforeEach(() => {
    refused = [];
    proxy.strays.length = 0;
  });

  async function openPage(): Promise<Page> {
    const page = await browser.page();
    page.on('response', (answer) => {
      // A browser asks for the icon of a host by itself.
      const isIcon = answer.url().endsWith('/favicon.ico');
      if (answer.status() >= 400 && !isIcon) refused.push(`${answer.status()} ${answer.url()}`);
    });
    return page;
  }

  describe.each([
    ['keeps the path', false],
    ['takes the path off', true],
  ])('of which a proxy %s', (_, takesPathOff) => {
    beforeAll(() => {
      proxy.takesPathOff = takesPathOff;
    });

    afterEach(() => {
      expect(proxy.strays).toEqual([]);
      expect(refused).toEqual([]);
      expect(browser.problems.splice(0)).toEqual([]);
    });

    it('has the console: each page, by a click, by its address and after a reload', async () => {
      const agentId = await makeAgent(team, steps('say Hello', 'finish Done'));
      const runId = await makeRun(team, agentId, { message: 'Order 4711' });
      const page = await openPage();
      await page.goto(base);
      expect(new URL(page.url()).pathname).toBe(`${path}/console`);
      await signInByKey(page, base, team.key);
      const links = page.getByRole('navigation').getByRole('link');
      for (const link of await links.all()) {
        const address = await link.getAttribute('href');
        expect(address).toMatch(new RegExp(`^${path}/(console|docs)(/|$)`));
        // The API reference opens a tab of its own.
        if (address === `${path}/docs`) continue;
        await link.click();
        await page.getByRole('heading', { level: 1 }).waitFor();
      }
      await page.goto(`${base}/console/runs/${runId}`);
      await page.getByText('Order 4711').first().waitFor();
      await page.reload();
      await page.getByText('Order 4711').first().waitFor();
      await page.goto(`${base}/console/connections`);
      await page.getByText(`${base}/v2/mcp`).first().waitFor();
      await page.context().close();
    });

    it('has the console live: a run that is started elsewhere appears', async () => {
      const page = await openPage();
      await signInByKey(page, base, team.key, '/console/runs');
      const message = `Seen ${takesPathOff ? 'without' : 'with'} the path`;
      await makeRun(team, await makeAgent(team, steps('finish Done')), { message });
      await page.getByText(message).first().waitFor();
      await page.context().close();
    });

    it('has the API reference', async () => {
      const page = await openPage();
      await page.goto(`${base}/docs`);
      // On a busy machine the page of all operations is slow to open one.
      const timeout = 60_000;
      await page.getByText('Create a team and its first API key').click({ timeout });
      await page.getByText('Idempotency-Key').first().waitFor({ timeout });
      expect(await page.locator('.servers select').inputValue()).toBe(base);
      await page.context().close();
    });

    it('takes a browser back after a consent', async () => {
      const { authorization_url: url } = await team.client.succeed<{ authorization_url: string }>(
        startNativeOAuth,
        { params: { teamId: team.id, provider: oauthProvider } },
      );
      const back = await consentInBrowser(url, stack.oauth!.issuer);
      expect(back.href.startsWith(`${base}/v2/connections/oauth/callback?`)).toBe(true);
      const page = await openPage();
      await page.goto(back.href);
      const button = page.getByRole('button', { name: 'Connect' });
      // Asked for where there is another team.
      if (await button.isVisible()) await button.click();
      await page
        .getByText(/connected/i)
        .first()
        .waitFor();
      expect(page.url().startsWith(`${base}/v2/connections/oauth/callback?`)).toBe(true);
      await page.context().close();
    });

    it('shows published pages', async () => {
      const { artifact_id: artifactId } = await team.client.succeed<{ artifact_id: string }>(createArtifact, {
        body: { message: 'Show our runs', title: 'Runs of the week' },
      });
      const params = { artifactId };
      await eventually(async () => {
        const { artifact } = await team.client.succeed<{ artifact: Artifact }>(getArtifact, { params });
        expect(artifact.status).toBe('completed');
      });
      const { public_url: url } = await team.client.succeed<{ public_url: string }>(publishArtifact, {
        params,
        body: { visibility: 'public' },
      });
      expect(url.startsWith(`${base}/v2/public/artifacts/`)).toBe(true);
      const page = await openPage();
      await page.goto(url);
      expect(await page.title()).not.toBe('');
      await page.context().close();
    });

    it('may be called by pages of an allowed origin, with the client', async () => {
      const page = await openPage();
      await page.goto(`https://${allowedHost}:${proxy.port}/`);
      const seen = await page.evaluate(`(${callAsClient})(${JSON.stringify([base, team.key, team.id])})`);
      expect(seen).toEqual({
        title: 'A run of a page',
        status: 'completed',
        listed: true,
        events: expect.arrayContaining(['run.started', 'run.completed']),
        file: 'Hello from a page',
        link: `${base}/v2/downloads`,
        bytes: 'Hello from a page',
        error: { status: 404, code: 'not_found', hasRequestId: true },
        limit: expect.stringMatching(/^\d+$/),
        mcp: 200,
        unauthorized: [401, expect.stringContaining(`${base}/.well-known/oauth-protected-resource`)],
      });
      // What the page asked for that is not there, and what it asked for without a key.
      expect(refused.splice(0).map((line) => line.slice(0, 3))).toEqual(['404', '401']);
      await page.context().close();
    });

    it('tells pages of other origins nothing, nor those that would send cookies', async () => {
      const fetchTeam = (init: object) =>
        `fetch('${base}/v2/teams/${team.id}', ${JSON.stringify(init)}).then(({ status }) => status, () => 'blocked')`;
      const headers = { authorization: `Bearer ${team.key}` };
      const page = await openPage();
      await page.goto(`https://${foreignHost}:${proxy.port}/`);
      expect(await page.evaluate(fetchTeam({ headers }))).toBe('blocked');
      expect(await page.evaluate(fetchTeam({}))).toBe('blocked');
      await page.goto(`https://${allowedHost}:${proxy.port}/`);
      expect(await page.evaluate(fetchTeam({ headers }))).toBe(200);
      expect(await page.evaluate(fetchTeam({ headers, credentials: 'include' }))).toBe('blocked');
      const complaints = browser.problems.splice(0);
      expect(complaints.filter((line) => line.includes('CORS policy'))).toHaveLength(3);
      expect(complaints).toHaveLength(3);
      refused.length = 0;
      await page.context().close();
    });
  });
});

/** Runs in the page: what a site does that shows runs of its own. The compiler knows none of the names there. */
const callAsClient = `async ([baseUrl, apiKey, teamId]) => {
  const { createClient } = await import(location.origin + '/client/index.js');
  const client = createClient({ baseUrl, apiKey, teamId, retries: 0 });
  const input = '\`\`\`steps\\nsay Hello\\nfinish Done\\n\`\`\`';
  const { agent_id } = await client.createAgent({ name: 'Of a page', build: { config: { data: { input } } } });
  const { run } = await client.startRun({ agent_id, message: 'A run of a page', wait_seconds: 30 });
  const { data } = await client.listRuns({ agent_id });
  const events = [];
  for await (const { event } of client.follow.run({ run_id: run.run_id })) events.push(event);
  const { sandbox_id: id } = await client.createSandbox({});
  const { upload_url } = await client.createSandboxUploadUrl({ id, path: 'a.txt' });
  await fetch(upload_url, { method: 'PUT', body: 'Hello from a page' });
  const file = await client.getSandboxFileContent({ id, path: 'a.txt' });
  const bytes = await (await fetch(file.download_url)).text();
  const error = await client.getRun({ run_id: crypto.randomUUID() }).catch((error) => error);
  const bearer = { authorization: 'Bearer ' + apiKey };
  const plain = await fetch(baseUrl + '/v2/teams/' + teamId, { headers: bearer });
  const mcp = await fetch(baseUrl + '/v2/mcp', {
    method: 'POST',
    headers: { ...bearer, 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  const unauthorized = await fetch(baseUrl + '/v2/teams/' + teamId);
  return {
    title: run.title,
    status: run.status,
    listed: data.some(({ run_id }) => run_id === run.run_id),
    events,
    file: file.content,
    link: file.download_url.slice(0, file.download_url.lastIndexOf('/')),
    bytes,
    error: { status: error.status, code: error.code, hasRequestId: typeof error.requestId === 'string' },
    limit: plain.headers.get('ratelimit-limit'),
    mcp: mcp.status,
    unauthorized: [unauthorized.status, unauthorized.headers.get('www-authenticate')],
  };
}`;
