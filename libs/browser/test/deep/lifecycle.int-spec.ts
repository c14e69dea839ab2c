import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { processesOf } from '../../src/chromium/chromium-processes.js';
import { BrowserLauncher, type BrowserSession } from '../../src/index.js';
import { site, type Site } from '../site.js';
import { describeWithChromium, failureOf, launcher } from '../with-chromium.js';

describeWithChromium('the life of a session', () => {
  let server: Site;
  let browsers: BrowserLauncher;

  beforeAll(async () => {
    server = await site({
      '/': '<title>Home</title><p>home</p>',
      '/file': (_request, response) => {
        response.writeHead(200, { 'content-disposition': 'attachment; filename="file.txt"' }).end('text');
      },
      '/login': (_request, response) => {
        response.writeHead(200, { 'set-cookie': 'who=ada; Max-Age=1000', 'content-type': 'text/html' });
        response.end('<script>localStorage.setItem("who", "ada")</script>');
      },
      '/who': (request, response) => {
        response.setHeader('content-type', 'text/html');
        response.end(`<p>${request.headers.cookie ?? 'nobody'}</p><script>
          document.querySelector('p').append(' ' + localStorage.getItem('who'))</script>`);
      },
      '/later': `<title>Waiting</title><script>setTimeout(() => { document.body.innerHTML =
        '<button onclick="document.title = 1">Late</button>' }, 1000)</script>`,
      '/never': () => undefined,
    });
    browsers = launcher({ limits: { actionTimeoutMs: 5_000, closeTimeoutMs: 1_000 } });
  });
  afterAll(async () => {
    await browsers.close();
    await server.close();
  });

  /** A download lies beside the profile: so a caller can tell where the session lives, and nobody else. */
  async function folderOf(session: BrowserSession): Promise<string> {
    const { downloads } = await session.open(`${server.url}/file`);
    return dirname(dirname(downloads[0]?.path ?? ''));
  }

  /** The process that was started; the others have a type. */
  async function mainProcess(folder: string): Promise<number> {
    for (const id of await processesOf(folder)) {
      const commandLine = await readFile(`/proc/${id}/cmdline`, 'utf8');
      if (!/--type=|crashpad/.test(commandLine)) return id;
    }
    throw new Error('There is no process of Chromium');
  }

  it('leaves no process and no file behind', async () => {
    const session = await browsers.open();
    const folder = await folderOf(session);
    expect(existsSync(`${folder}/profile`)).toBe(true);
    expect((await processesOf(folder)).length).toBeGreaterThan(1);
    expect(session.closed).toBe(false);
    await Promise.all([session.close(), session.close()]);
    expect(session.closed).toBe(true);
    expect(await processesOf(folder)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
    expect(await failureOf(session.screenshot())).toMatchObject({ kind: 'gone' });
  });

  it('ends a Chromium that hangs', async () => {
    const session = await browsers.open();
    const folder = await folderOf(session);
    process.kill(await mainProcess(folder), 'SIGSTOP');
    await session.close();
    expect(await processesOf(folder)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  it('knows that its Chromium was killed, and cleans up by itself', async () => {
    const session = await browsers.open();
    const folder = await folderOf(session);
    await session.open(`${server.url}/`);
    process.kill(await mainProcess(folder), 'SIGKILL');
    const failure = await failureOf(session.read(undefined));
    expect(failure).toMatchObject({ kind: 'gone', message: 'The browser is gone; its pages are lost.' });
    expect(session.closed).toBe(true);
    await session.close();
    expect(await processesOf(folder)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  it('ends an action during which Chromium is killed', async () => {
    const session = await browsers.open();
    const folder = await folderOf(session);
    const action = failureOf(session.open(`${server.url}/never`));
    process.kill(await mainProcess(folder), 'SIGKILL');
    expect(await action).toMatchObject({ kind: 'gone' });
    await session.close();
  });

  it('outlives a page that crashes', async () => {
    const session = await browsers.open();
    const folder = await folderOf(session);
    await session.open(`${server.url}/`);
    const action = failureOf(session.click('#nothing'));
    for (const id of await processesOf(folder)) {
      if ((await readFile(`/proc/${id}/cmdline`, 'utf8')).includes('--type=renderer'))
        process.kill(id, 'SIGKILL');
    }
    expect(await action).toMatchObject({ kind: 'crashed', message: 'The page crashed and was closed.' });
    const { page, pages } = await session.open(`${server.url}/`);
    expect([page.title, pages.map(({ closedAt }) => closedAt === null)]).toEqual(['Home', [false, true]]);
    await session.close();
  });

  it('shares nothing with another session', async () => {
    const [ada, other] = await Promise.all([browsers.open(), browsers.open()]);
    await ada.open(`${server.url}/login`);
    await ada.open(`${server.url}/who`);
    await other.open(`${server.url}/who`);
    expect((await ada.read('p')).text).toBe('who=ada ada');
    expect((await other.read('p')).text).toBe('nobody null');
    await ada.close();
    expect((await other.open(`${server.url}/`)).page.title).toBe('Home');
    await other.close();
    const next = await browsers.open();
    await next.open(`${server.url}/who`);
    expect((await next.read('p')).text).toBe('nobody null');
    await next.close();
  });

  it('ends an action at once when its signal is aborted, and does not do it later', async () => {
    const session = await browsers.open();
    await session.open(`${server.url}/later`);
    const reason = new Error('the run was stopped');
    const controller = new AbortController();
    const action = session.click('text=Late', controller.signal);
    controller.abort(reason);
    await expect(action).rejects.toBe(reason);
    await expect(session.screenshot(controller.signal)).rejects.toBe(reason);
    expect((await session.read('button')).text).toBe('Late');
    expect((await session.screenshot()).page.title).toBe('Waiting');
    const opening = new AbortController();
    const navigation = session.open(`${server.url}/never`, opening.signal);
    setTimeout(() => opening.abort(reason), 300);
    await expect(navigation).rejects.toBe(reason);
    expect((await session.open(`${server.url}/`)).page.title).toBe('Home');
    await session.close();
  });

  it('starts nothing for a signal that is aborted, and leaves nothing of one aborted meanwhile', async () => {
    const temporaryFolder = await mkdtemp(join(tmpdir(), 'aos-browser-test-'));
    const own = launcher({ temporaryFolder });
    const reason = new Error('the run was stopped');
    await expect(own.open({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(await readdir(temporaryFolder)).toEqual([]);
    const controller = new AbortController();
    const opening = own.open({ signal: controller.signal });
    while ((await readdir(temporaryFolder)).length === 0) await new Promise(setImmediate);
    controller.abort(reason);
    await expect(opening).rejects.toBe(reason);
    await own.close();
    // `rmdir` takes empty folders only.
    await rmdir(temporaryFolder);
    expect(await processesOf(temporaryFolder)).toEqual([]);
    expect(await failureOf(own.open())).toMatchObject({ kind: 'gone' });
  });

  it('closes all sessions with the launcher', async () => {
    const own = launcher();
    const session = await own.open();
    const folder = await folderOf(session);
    await own.close();
    expect(session.closed).toBe(true);
    expect(await processesOf(folder)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });
});

describe('a launcher', () => {
  it('says that Chromium did not start, and leaves nothing', async () => {
    const temporaryFolder = await mkdtemp(join(tmpdir(), 'aos-browser-test-'));
    const executablePath = '/bin/false';
    const broken = new BrowserLauncher({ executablePath, egress: { allowed: [] }, temporaryFolder });
    expect(await failureOf(broken.open())).toMatchObject({
      kind: 'gone',
      message: expect.stringMatching(
        /^The browser cannot be started in its sandbox on this machine\..*BROWSER_SANDBOX=off/,
      ) as unknown,
    });
    await broken.close();
    await rmdir(temporaryFolder);
  });

  it('never does without its sandbox by itself, and tries again after a failure', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aos-browser-test-'));
    const [program, calls] = [join(folder, 'chromium'), join(folder, 'calls')];
    // A Chromium that does not start, as where its sandbox cannot be built, and notes how it was asked to.
    await writeFile(program, `#!/bin/sh\necho "$@" >> ${calls}\nexit 1\n`, { mode: 0o755 });
    await writeFile(calls, '', { mode: 0o666 });
    await Promise.all([chmod(folder, 0o755), chmod(calls, 0o666)]);
    const told: unknown[] = [];
    const options = { executablePath: program, egress: { allowed: [] }, onFailedStart: told.push.bind(told) };
    const walled = new BrowserLauncher(options);
    await failureOf(walled.open());
    const first = (await readFile(calls, 'utf8')).trim().split('\n').length;
    await failureOf(walled.open());
    await walled.close();
    const asked = (await readFile(calls, 'utf8')).trim().split('\n');
    expect(asked).toHaveLength(2 * first);
    expect(asked.filter((line) => line.includes('--no-sandbox'))).toEqual([]);
    expect(told).toHaveLength(2);

    await writeFile(calls, '');
    const open = new BrowserLauncher({ ...options, sandbox: false });
    expect(await failureOf(open.open())).toMatchObject({ message: 'The browser could not be started.' });
    await open.close();
    expect((await readFile(calls, 'utf8')).trim().split('\n')).toEqual(
      expect.arrayContaining([expect.stringContaining('--no-sandbox')]),
    );
    await rm(folder, { recursive: true });
  });
});
