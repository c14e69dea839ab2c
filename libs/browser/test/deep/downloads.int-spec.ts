import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { BrowserLauncher, type BrowserSession } from '../../src/index.js';
import { site, type Site } from '../site.js';
import { describeWithChromium, failureOf, launcher } from '../with-chromium.js';

const bytes = randomBytes(700_000);
const maxDownloadBytes = 1_000_000;

describeWithChromium('the downloads of a session', () => {
  let server: Site;
  let inside: Site;
  let browsers: BrowserLauncher;
  /** Few files, and little patience. */
  let short: BrowserLauncher;
  let session: BrowserSession;
  let endlessEnded: Promise<void>;
  let finishSlow: () => void;

  beforeAll(async () => {
    let ended: () => void;
    endlessEnded = new Promise((resolve) => (ended = resolve));
    inside = await site({ '/file': 'secret' }, '127.0.0.2');
    server = await site({
      '/': `<a href="/file">Link</a> <a href="/file" target="_blank">New window</a> <a href="/endless">Endless</a>
        <a href="/declared">Declared</a> <a href="/broken">Broken</a> <a href="/slow">Slow</a>
        <a href="${inside.url}/file" download="inside.txt">Inside</a>
        <a download="made.txt" href="data:text/plain,made%20here">Made</a>`,
      '/file': (_request, response) => {
        response.writeHead(200, { 'content-disposition': 'attachment; filename="../../report 1.bin"' });
        response.end(bytes);
      },
      '/endless': (_request, response) => {
        response.writeHead(200, { 'content-disposition': 'attachment; filename="endless.bin"' });
        const timer = setInterval(() => response.write(Buffer.alloc(100_000)), 20);
        response.once('close', () => {
          clearInterval(timer);
          ended();
        });
      },
      '/declared': (_request, response) => {
        response.writeHead(200, { 'content-disposition': 'attachment; filename="large.bin"' });
        response.end(Buffer.alloc(maxDownloadBytes + 1));
      },
      '/broken': (_request, response) => {
        response.writeHead(200, {
          'content-disposition': 'attachment; filename="broken.bin"',
          'content-length': '99',
        });
        response.write('begun');
        setTimeout(() => response.destroy(), 100);
      },
      '/slow': (_request, response) => {
        response.writeHead(200, {
          'content-disposition': 'attachment; filename="slow.txt"',
          'content-type': 'application/zip',
        });
        response.write('first ');
        finishSlow = () => response.end('last');
      },
    });
    browsers = launcher({ limits: { maxDownloadBytes, maxDownloads: 20 } });
    session = await browsers.open();
    short = launcher({ limits: { maxDownloadBytes, maxDownloads: 3, actionTimeoutMs: 3_000 } });
  });
  afterAll(async () => {
    await Promise.all([browsers.close(), short.close()]);
    await Promise.all([server.close(), inside.close()]);
  });
  beforeEach(() => session.open(`${server.url}/`));

  it.each(['Link', 'New window'])('hands over the very bytes: %s', async (name) => {
    const { downloads, page } = await session.click(`text=${name}`);
    expect(downloads).toEqual([
      {
        suggestedName: expect.any(String),
        url: `${server.url}/file`,
        path: expect.any(String),
        sizeBytes: 700_000,
        read: expect.any(Function),
      },
    ]);
    const [download] = downloads;
    expect(download?.suggestedName).toMatch(/^[^/\\]*report 1\.bin$/);
    expect((await buffer(await download!.read())).equals(bytes)).toBe(true);
    expect(page.url).toBe(`${server.url}/`);
    // Told once.
    expect((await session.screenshot()).downloads).toEqual([]);
  });

  it('takes an address that is a file', async () => {
    const { downloads } = await session.open(`${server.url}/file`);
    expect(downloads.map(({ sizeBytes }) => sizeBytes)).toEqual([700_000]);
  });

  it('takes what a page makes itself', async () => {
    const { downloads } = await session.click('text=Made');
    expect(downloads.map(({ suggestedName }) => suggestedName)).toEqual(['made.txt']);
    expect(await readFile(downloads[0]?.path ?? '', 'utf8')).toBe('made here');
  });

  it('ends one that grows too large', async () => {
    const failure = await failureOf(session.click('text=Endless'));
    const message = `The download of endless.bin is larger than ${maxDownloadBytes} bytes.`;
    expect(failure).toMatchObject({ kind: 'download', message, report: { downloads: [], downloading: [] } });
    await endlessEnded;
  });

  it('hands over nothing that is a byte too large', async () => {
    const failure = await failureOf(session.click('text=Declared'));
    expect(failure).toMatchObject({ kind: 'download', report: { downloads: [] } });
    expect(failure.message).toBe(`The download of large.bin is larger than ${maxDownloadBytes} bytes.`);
  });

  it('says that one broke off', async () => {
    const failure = await failureOf(session.click('text=Broken'));
    expect(failure).toMatchObject({ kind: 'download', message: 'The download of broken.bin broke off.' });
  });

  it('tells of one that takes longer than an action when it has come', async () => {
    const session = await short.open();
    await session.open(`${server.url}/`);
    const begun = await session.click('text=Slow');
    expect([begun.downloads, begun.downloading]).toEqual([[], ['slow.txt']]);
    finishSlow();
    // A click waits for what is under way.
    const { downloads } = await session.click('body');
    expect(downloads.map(({ suggestedName, sizeBytes }) => [suggestedName, sizeBytes])).toEqual([
      ['slow.txt', 10],
    ]);
  });

  it('takes so many and no more', async () => {
    const session = await short.open();
    await session.open(`${server.url}/`);
    for (let count = 0; count < 3; count += 1)
      expect((await session.click('text=Link')).downloads).toHaveLength(1);
    const failure = await failureOf(session.click('text=Link'));
    const message = expect.stringMatching(/^A session may download 3 files; .*report 1\.bin is one more\.$/);
    expect(failure).toMatchObject({ kind: 'download', message, report: { downloads: [] } });
  });

  it('downloads nothing from the inside', async () => {
    const failure = await failureOf(session.click('text=Inside'));
    expect(failure.kind).toBe('refused');
    expect(inside.connections()).toBe(0);
  });
});
