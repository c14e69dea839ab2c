import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserLauncher, BrowserSession } from '../../src/index.js';
import { site, type Site } from '../site.js';
import { describeWithChromium, failureOf, launcher } from '../with-chromium.js';

const names: Readonly<Record<string, readonly string[]>> = {
  'site.example.com': ['127.0.0.1'],
  'inside.example.com': ['127.0.0.2'],
  'half.example.com': ['127.0.0.1', '127.0.0.2'],
};
const literalReason = 'The host of the URL is a private, local or reserved address.';
const resolvedReason = 'The host of the URL resolves to a private, local or reserved address.';

/** Everything a page can ask of another host, and "done" when all of it has been tried. */
function everyWay(origin: string): string {
  const { host } = new URL(origin);
  return `<title>Tries</title><p>trying</p>
    <link rel="preconnect" href="${origin}"><link rel="prefetch" href="${origin}/prefetch">
    <link rel="stylesheet" href="${origin}/style"><link rel="icon" href="${origin}/icon">
    <img src="${origin}/image"><iframe src="${origin}/frame"></iframe><video src="${origin}/video"></video>
    <object data="${origin}/object"></object><script src="${origin}/script"></script>
    <form action="${origin}/form" method="post" target="frame"></form><iframe name="frame"></iframe>
    <script>
      const settled = (make) => new Promise((resolve) => { try { make(resolve) } catch { resolve() } });
      const socket = (url) => settled((end) => { const s = new WebSocket(url); s.onclose = end; s.onopen = end; });
      const worker = URL.createObjectURL(new Blob(["fetch('${origin}/worker').finally(() => postMessage(1))"]));
      document.forms[0].submit();
      navigator.sendBeacon('${origin}/beacon', 'x');
      Promise.allSettled([
        fetch('${origin}/fetch'), fetch('${origin}/opaque', { mode: 'no-cors', method: 'POST', body: 'x' }),
        socket('ws://${host}/socket'), socket('wss://${host}/socket'),
        settled((end) => { const source = new EventSource('${origin}/events'); source.onerror = end; }),
        settled((end) => { new Worker(worker).onmessage = end; }),
      ]).then(() => (document.querySelector('p').textContent = 'done'));
    </script>`;
}

describeWithChromium('the guard around a session', () => {
  let outside: Site;
  let inside: Site;
  let udp: UdpSocket;
  let packets: number;
  let folder: string;
  let browsers: BrowserLauncher;
  let session: BrowserSession;
  const asked: Record<string, string | string[] | undefined>[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'aos-browser-test-'));
    await writeFile(join(folder, 'secret.html'), '<title>Secret</title>a secret of the machine');
    inside = await site({ '/': '<title>Inside</title>inside' }, '127.0.0.2');
    udp = createSocket('udp4').on('message', () => (packets += 1));
    udp.bind(0, '127.0.0.2');
    await once(udp, 'listening');
    outside = await site({
      '/': '<title>Outside</title>outside',
      '/every-way': everyWay(inside.url),
      '/redirect': (request, response) => {
        const to = new URL(request.url ?? '', 'http://a').searchParams.get('to') ?? '';
        response.writeHead(302, { location: to }).end();
      },
      '/go': `<a href="" id="link">link</a><p>here</p><script>
        const to = new URL(location).searchParams.get('to');
        document.querySelector('#link').href = to;
        document.body.insertAdjacentHTML('beforeend', '<iframe src="' + to + '"></iframe>');
        const run = (way) => { if (way === 'open') window.open(to); else location = to; }
        </script><button onclick="run('open')">Open</button><button onclick="run('go')">Go</button>`,
      '/private': (request, response) => {
        asked.push(request.headers);
        response.writeHead(401, { 'www-authenticate': 'Basic realm="browser"' }).end('who are you?');
      },
      '/calls': `<p>calling</p><script>
        const peer = new RTCPeerConnection({ iceServers: [
          { urls: 'stun:127.0.0.2:${udp.address().port}' },
          { urls: 'turn:127.0.0.2:${udp.address().port}', username: 'a', credential: 'b' },
          { urls: 'turn:127.0.0.2:${inside.port}?transport=tcp', username: 'a', credential: 'b' } ] });
        const candidates = [];
        peer.createDataChannel('data');
        const gathered = new Promise((resolve) => (peer.onicecandidate = ({ candidate }) =>
          candidate ? candidates.push(candidate.candidate) : resolve()));
        peer.createOffer().then((offer) => peer.setLocalDescription(offer));
        const patience = new Promise((resolve) => setTimeout(resolve, 5000));
        const transport = typeof WebTransport === 'undefined' ? Promise.resolve()
          : new WebTransport('https://127.0.0.2:${udp.address().port}/').ready.catch(() => undefined);
        Promise.race([Promise.all([gathered, transport]), patience])
          .then(() => (document.querySelector('p').textContent = 'done ' + candidates.join(' ')));
        </script>`,
    });
    browsers = launcher({ resolve: (name) => Promise.resolve(names[name] ?? []) });
    session = await browsers.open();
  });
  afterAll(async () => {
    await browsers.close();
    udp.close();
    await Promise.all([outside.close(), inside.close()]);
    await rm(folder, { recursive: true });
  });
  beforeEach(() => {
    packets = 0;
  });
  afterEach(() => {
    expect(inside.connections()).toBe(0);
    expect(packets).toBe(0);
  });

  const local = (): string => `file://${folder}/secret.html`;
  const redirect = (to: string): string => `${outside.url}/redirect?to=${encodeURIComponent(to)}`;
  const go = (to: string): string => `${outside.url}/go?to=${encodeURIComponent(to)}`;

  it('opens nothing that is not http or https', async () => {
    const addresses = [
      local(),
      'chrome://version',
      'chrome://settings/',
      'about:blank',
      'view-source:http://site.example.com/',
      'devtools://devtools/bundled/inspector.html',
      'data:text/html,<h1>x</h1>',
      'javascript:alert(1)',
      `blob:${outside.url}/1`,
      'ftp://site.example.com/',
      'chrome-extension://abc/page.html',
      '/etc/passwd',
      '',
    ];
    const { pages: before } = await session.open(`${outside.url}/`);
    for (const address of addresses) {
      const failure = await failureOf(session.open(address));
      expect([address, failure.kind]).toEqual([address, 'refused']);
      expect(failure.message).toMatch(
        /^The address was not opened\. The URL (must begin with|has white space)/,
      );
    }
    // None of them has so much as made a page.
    expect((await session.open(`${outside.url}/`)).pages).toHaveLength(before.length);
  });

  it('opens no address of the inside', async () => {
    const { port } = inside;
    for (const host of [
      '127.0.0.2',
      '127.0.2',
      '0x7f000002',
      '[::ffff:127.0.0.2]',
      '169.254.169.254',
      '[::1]',
    ]) {
      const failure = await failureOf(session.open(`http://${host}:${port}/`));
      expect(failure).toMatchObject({
        kind: 'refused',
        message: `The address was not opened. ${literalReason}`,
      });
    }
    expect((await failureOf(session.open(`http://localhost:${port}/`))).kind).toBe('refused');
  });

  it('opens a name by the addresses that it has', async () => {
    expect((await session.open(`http://site.example.com:${outside.port}/`)).page.title).toBe('Outside');
    for (const name of ['inside.example.com', 'half.example.com']) {
      for (const scheme of ['http', 'https']) {
        const failure = await failureOf(session.open(`${scheme}://${name}:${inside.port}/`));
        expect(failure).toMatchObject({
          kind: 'refused',
          message: `The page was not opened. ${resolvedReason}`,
        });
        expect(failure.report?.screenshot.width).toBe(1280);
      }
    }
    expect(await failureOf(session.open('http://unknown.example.com/'))).toMatchObject({
      kind: 'navigation',
      message: 'The page was not opened. The host name does not resolve.',
    });
  });

  it('does not ask by itself for what was refused once more', async () => {
    const patient = launcher({ limits: { actionTimeoutMs: 3_000 } });
    const other = await patient.open();
    expect((await failureOf(other.open(redirect(`https://127.0.0.2:${inside.port}/`)))).kind).toBe('refused');
    // Meanwhile Chromium would load its error page again, and the page that is not opened would be this action's.
    expect((await failureOf(other.click('#nothing'))).kind).toBe('no_element');
    await patient.close();
  });

  it('follows no redirect to the inside', async () => {
    for (const scheme of ['http', 'https']) {
      const failure = await failureOf(session.open(redirect(`${scheme}://127.0.0.2:${inside.port}/`)));
      expect(failure).toMatchObject({
        kind: 'refused',
        message: `The page was not opened. ${literalReason}`,
      });
    }
  });

  it.each(['#link', 'text=Open', 'text=Go'])('lets no click lead to the inside: %s', async (selector) => {
    const { refused } = await session.open(go(`${inside.url}/`));
    // The frame has tried already.
    expect(refused).toEqual([{ origin: inside.url, reason: literalReason }]);
    const failure = await failureOf(session.click(selector));
    expect(failure).toMatchObject({ kind: 'refused', message: `The page was not opened. ${literalReason}` });
  });

  it('gives the parts of a page no way to the inside', async () => {
    const report = await session.open(`${outside.url}/every-way`);
    expect((await session.read('p:text("done")')).text).toBe('done');
    expect(report.page.title).toBe('Tries');
    expect(report.refused).toContainEqual({ origin: inside.url, reason: literalReason });
  });

  it('calls nobody past the proxy: no WebRTC, no WebTransport', async () => {
    await session.open(`${outside.url}/calls`);
    const { text } = await session.read('p:text("done")');
    // No candidate, so that a page does not learn the addresses of the machine either.
    expect(text).toBe('done');
  });

  it.each([
    ['file', local],
    ['chrome', () => 'chrome://version/'],
    ['view-source', () => `view-source:${outside.url}/`],
    ['devtools', () => 'devtools://devtools/bundled/inspector.html'],
  ])('lets no page lead to %s:', async (scheme, address) => {
    const failure = await failureOf(session.open(redirect(address())));
    expect(failure.kind).toBe('navigation');
    await session.open(go(address()));
    for (const selector of ['#link', 'text=Open', 'text=Go']) {
      const { pages } = await session.click(selector);
      expect(pages.filter(({ url }) => url.startsWith(`${scheme}:`))).toEqual([]);
      await session.open(go(address()));
    }
    const frame = await session.read('body');
    expect(frame.text).toContain('here');
    expect(frame.refused).toEqual([]);
  });

  it('keeps the password of the proxy from the pages', async () => {
    expect(await failureOf(session.open(`${outside.url}/private`))).toMatchObject({
      kind: 'navigation',
      message: 'The page did not load: the server asks for a name and a password.',
    });
    expect(asked.length).toBeGreaterThan(0);
    for (const headers of asked) {
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('proxy-authorization');
    }
  });
});
