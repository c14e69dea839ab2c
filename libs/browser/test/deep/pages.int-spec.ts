import type { BrowserLauncher, BrowserSession } from '../../src/index.js';
import { site, type Site } from '../site.js';
import { describeWithChromium, expectPicture, failureOf, launcher } from '../with-chromium.js';

const pages = {
  '/': `<title>Home</title><h1>Welcome</h1><p hidden>unseen</p>
    <a href="/next">Next page</a> <a href="/slow">Slow page</a>
    <a href="/next" target="_blank">New window</a> <a href="/slow" target="_blank">Slow window</a>`,
  '/next': '<title>Next</title><p>You went on.</p><button onclick="window.close()">Close me</button>',
  '/windows': `<button onclick="for (let i = 0; i < 6; i += 1) window.open('/next?' + i)">Flood</button>`,
  '/busy': `<title>Busy</title><button onclick="setTimeout(() => { for (;;); }, 50)">Hang</button>`,
  '/foresight': `<title>Foresight</title><script type="speculationrules">
    {"prerender": [{"urls": ["/next?foreseen"], "eagerness": "immediate"}]}</script>`,
};

describeWithChromium('the pages of a session', () => {
  let server: Site;
  let browsers: BrowserLauncher;
  /** Two pages in a whole session. */
  let few: BrowserLauncher;
  let session: BrowserSession;

  beforeAll(async () => {
    server = await site({
      ...pages,
      '/slow': (_request, response) => {
        setTimeout(() => response.end('<title>Slow</title>At last.'), 800);
      },
    });
    const limits = { actionTimeoutMs: 4_000, navigationTimeoutMs: 8_000, maxPages: 4 };
    browsers = launcher({ limits });
    few = launcher({ limits: { ...limits, maxPagesEver: 2 } });
  });
  afterAll(async () => {
    await Promise.all([browsers.close(), few.close()]);
    await server.close();
  });
  beforeEach(async () => {
    session = await browsers.open();
  });
  afterEach(() => session.close());

  it('opens an address and shows the page', async () => {
    const report = await session.open(`${server.url}/`);
    expect(report.status).toBe(200);
    expect(report.page).toEqual({ id: expect.any(String), url: `${server.url}/`, title: 'Home' });
    expect(report.pages).toEqual([{ ...report.page, openedAt: expect.any(Date), closedAt: null }]);
    expectPicture(report.screenshot);
    expect(report).toMatchObject({ downloads: [], downloading: [], dialogs: [], refused: [] });
  });

  it.each(['New window', 'Slow window'])('goes on in the page that a click opens: %s', async (name) => {
    const { page: first } = await session.open(`${server.url}/`);
    const opened = await session.click(`text=${name}`);
    expect(opened.page.id).not.toBe(first.id);
    expect(opened.page.title).toBe(name === 'New window' ? 'Next' : 'Slow');
    expect(opened.pages.map(({ id, closedAt }) => [id, closedAt])).toEqual([
      [first.id, null],
      [opened.page.id, null],
    ]);
  });

  it('goes back to the page before when one closes, and opens another when none is left', async () => {
    const { page: first } = await session.open(`${server.url}/`);
    const { page: second } = await session.click('text=New window');
    const closed = await session.click('text=Close me');
    expect(closed.page.id).toBe(first.id);
    expect(closed.pages.map(({ id, closedAt }) => [id, closedAt === null])).toEqual([
      [first.id, true],
      [second.id, false],
    ]);
    expect((await session.open(`${server.url}/next`)).pages).toHaveLength(2);
  });

  it('has no page before one is opened', async () => {
    const failure = await failureOf(session.read(undefined));
    expect(failure).toMatchObject({ kind: 'invalid', message: 'No page is open. Open an address first.' });
    expect(failure.report).toBeUndefined();
  });

  it('closes pages that are too many', async () => {
    await session.open(`${server.url}/windows`);
    const { pages: opened } = await session.click('text=Flood');
    expect(opened).toHaveLength(4);
    expect(opened.every(({ closedAt }) => closedAt === null)).toBe(true);
    expect((await session.screenshot()).pages).toHaveLength(4);
  });

  it('keeps so many in all, and lets the agent open one more', async () => {
    const session = await few.open();
    const { page: first } = await session.open(`${server.url}/`);
    const { page: second } = await session.click('text=New window');
    expect((await session.click('text=Close me')).page.id).toBe(first.id);
    const refused = await session.click('text=New window');
    expect(refused.page.id).toBe(first.id);
    expect(refused.pages.map(({ id }) => id)).toEqual([first.id, second.id]);
    await session.open(`${server.url}/busy`);
    await failureOf(session.click('text=Hang'));
    const { page: own, pages: kept } = await session.open(`${server.url}/next`);
    expect(own.title).toBe('Next');
    expect(kept.map(({ id, closedAt }) => [id, closedAt === null])).toEqual([
      [first.id, false],
      [second.id, false],
      [own.id, true],
    ]);
  });

  it('takes a page that Chromium renders in advance for none of its own', async () => {
    await session.open(`${server.url}/foresight`);
    const { pages: opened } = await session.click('body');
    expect(opened.map(({ title }) => title)).toEqual(['Foresight']);
    expect(server.seen).toContain('/next?foreseen');
  });

  it('gives up a page that hangs, and goes on in another', async () => {
    await session.open(`${server.url}/busy`);
    const failure = await failureOf(session.click('text=Hang'));
    expect(failure).toMatchObject({
      kind: 'crashed',
      message: 'The page does not respond and was closed.',
    });
    expect((await session.open(`${server.url}/next`)).page.title).toBe('Next');
  });
});
