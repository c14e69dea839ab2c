import type { BrowserLauncher, BrowserSession } from '../../src/index.js';
import { site, type Site } from '../site.js';
import { describeWithChromium, expectPicture, failureOf, launcher } from '../with-chromium.js';

const pages = {
  '/': `<title>Home</title><h1>Welcome</h1><p hidden>unseen</p>
    <a href="/next">Next page</a> <a href="/slow">Slow page</a>
    <a href="/next" target="_blank">New window</a> <a href="/slow" target="_blank">Slow window</a>`,
  '/next': '<title>Next</title><p>You went on.</p><button onclick="window.close()">Close me</button>',
  '/form': `<title>Form</title><form action="/done">
    <input name="name" value="old"><textarea name="note"></textarea>
    <select name="size"><option value="s">Small</option><option value="l">Large</option></select>
    <button>Send</button></form>
    <p id="late"></p><button id="later" onclick="setTimeout(() => (document.querySelector('#late').innerHTML =
    '<b class=grown>grown</b>'), 300)">Grow</button>
    <button id="covered">Under</button><div style="position:fixed;inset:0 0 auto 0;height:0"></div>`,
  '/done': '<title>Done</title>Thanks',
  '/many': `<script>for (let i = 0; i < 2000; i += 1) document.write('äöü text of a long page<br>')</script>`,
  '/dialogs': `<title>Before</title><button onclick="document.title = String(confirm('Really?'))">Ask</button>
    <script>addEventListener('beforeunload', (event) => event.preventDefault())</script>`,
  '/under': `<button>Under</button><div id="cover" style="position:fixed;inset:0"></div>`,
  '/permissions': `<p></p><script>
    Promise.all(['geolocation', 'notifications', 'camera', 'clipboard-read'].map((name) =>
      navigator.permissions.query({ name }).then(({ state }) => state)))
      .then((states) => (document.querySelector('p').textContent = states.join(' '))) </script>`,
};

describeWithChromium('the actions of a session', () => {
  let server: Site;
  let browsers: BrowserLauncher;
  let session: BrowserSession;

  // One browser for all: each begins with a page of its own, and a start costs more than most of them.
  beforeAll(async () => {
    server = await site({
      ...pages,
      '/slow': (_request, response) => {
        setTimeout(() => response.end('<title>Slow</title>At last.'), 800);
      },
      '/font': (_request, response) => {
        response.setHeader('content-type', 'text/html');
        response.end(`<title>Font</title><style>@font-face { font-family: never; src: url(/never) }
          p { font-family: never }</style><p>Text</p>`);
      },
      '/never': () => undefined,
    });
    browsers = launcher({ limits: { actionTimeoutMs: 4_000, navigationTimeoutMs: 8_000 } });
    session = await browsers.open();
  });
  afterAll(async () => {
    await browsers.close();
    await server.close();
  });

  it('tells the status of a page that is not there', async () => {
    expect((await session.open(`${server.url}/nowhere`)).status).toBe(404);
  });

  it('shows what has changed', async () => {
    const { screenshot: before } = await session.open(`${server.url}/`);
    const { screenshot: after } = await session.click('text=Next page');
    expect(after.png.equals(before.png)).toBe(false);
    expectPicture((await session.screenshot()).screenshot);
  });

  it('waits for the page to which a click leads', async () => {
    await session.open(`${server.url}/`);
    expect((await session.click('text=Next page')).page.title).toBe('Next');
    await session.open(`${server.url}/`);
    expect((await session.click('role=link[name="Slow page"]')).page.title).toBe('Slow');
  });

  it('types, chooses and sends', async () => {
    await session.open(`${server.url}/form`);
    await session.type('[name=name]', 'Ada & Grace');
    await session.type('textarea', 'one\ntwo');
    await session.type('select', 'Large');
    expect((await session.click('text=Send')).page.title).toBe('Done');
    expect(server.seen.at(-1)).toBe('/done?name=Ada+%26+Grace&note=one%0D%0Atwo&size=l');
  });

  it('presses Enter for a new line at the end', async () => {
    await session.open(`${server.url}/form`);
    expect((await session.type('[name=name]', 'Ada\n')).page.title).toBe('Done');
    expect(server.seen.at(-1)).toBe('/done?name=Ada&note=&size=s');
  });

  it('reads what a reader sees, of the page or of an element', async () => {
    await session.open(`${server.url}/`);
    const whole = await session.read(undefined);
    expect(whole.text).toContain('Welcome');
    expect(whole.text).not.toContain('unseen');
    expect(whole).toMatchObject({ textTruncated: false, page: { title: 'Home' } });
    expect((await session.read('h1')).text).toBe('Welcome');
    expectPicture(whole.screenshot);
  });

  it('waits for an element that is still to come', async () => {
    await session.open(`${server.url}/form`);
    await session.click('#later');
    expect((await session.read('.grown')).text).toBe('grown');
  });

  it('shows a page whose font never comes', async () => {
    const report = await session.open(`${server.url}/font`);
    expect(report.page.title).toBe('Font');
    expectPicture(report.screenshot);
  });

  it('says what is wrong with an element, and still shows the page', async () => {
    await session.open(`${server.url}/under`);
    const missing = await failureOf(session.click('#nothing'));
    expect(missing).toMatchObject({ kind: 'no_element', message: 'No element matches "#nothing".' });
    expectPicture(missing.report!.screenshot);
    const covered = await failureOf(session.click('button'));
    expect(covered.kind).toBe('timeout');
    expect(covered.message).toMatch(
      /^The element "button" was not ready in time: <div id="cover".* intercepts pointer/,
    );
    expect(await failureOf(session.click('css=[['))).toMatchObject({ kind: 'invalid' });
    expect((await failureOf(session.type('button', 'x'))).kind).toBe('invalid');
  });

  it('dismisses questions, and lets no page hold it', async () => {
    await session.open(`${server.url}/dialogs`);
    const asked = await session.click('text=Ask');
    expect([asked.page.title, asked.dialogs]).toEqual(['false', ['Really?']]);
    const left = await session.open(`${server.url}/next`);
    expect([left.page.title, left.dialogs]).toEqual(['Next', ['']]);
  });

  it('denies permissions', async () => {
    await session.open(`${server.url}/permissions`);
    expect((await session.read('p:not(:empty)')).text).toBe('denied denied denied denied');
  });

  it('says that a server cannot be reached', async () => {
    const closed = await site({});
    await closed.close();
    const reason = 'The page was not opened. The connection could not be made.';
    for (const url of [`${closed.url}/`, `https://127.0.0.1:${closed.port}/`]) {
      expect(await failureOf(session.open(url))).toMatchObject({ kind: 'navigation', message: reason });
    }
  });

  it('takes actions in turn', async () => {
    const reports = await Promise.all([
      session.open(`${server.url}/form`),
      session.type('[name=name]', 'Ada'),
      session.click('text=Send'),
    ]);
    expect(reports.map(({ page }) => page.title)).toEqual(['Form', 'Form', 'Done']);
  });

  it('cuts a long text', async () => {
    const small = launcher({ limits: { maxTextBytes: 1_001, maxTypedBytes: 10 } });
    const other = await small.open();
    await other.open(`${server.url}/many`);
    const { text = '', textTruncated } = await other.read(undefined);
    expect(textTruncated).toBe(true);
    expect([1_000, 1_001]).toContain(Buffer.byteLength(text));
    expect(text).not.toContain('\ufffd');
    expect(await failureOf(other.type('body', 'x'.repeat(11)))).toMatchObject({
      kind: 'invalid',
      message: 'The text is longer than 10 bytes.',
    });
    await small.close();
  });
});
