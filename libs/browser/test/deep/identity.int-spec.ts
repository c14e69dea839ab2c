import { readFile, readlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { processesOf } from '../../src/chromium/chromium-processes.js';
import { type BrowserIdentity, identitiesApart, runAs, thisSystem } from '../../src/chromium/identity.js';
import type { BrowserLauncher, BrowserSession } from '../../src/index.js';
import { site, type Site } from '../site.js';
import { describeWithChromium, launcher, sandbox } from '../with-chromium.js';

/** What this machine lets a process become; without another identity no browser is started in its sandbox. */
async function isPossible(identity: BrowserIdentity): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  return runAs(identity, ['true']).then(
    () => true,
    () => false,
  );
}

const apart = await Promise.all(
  identitiesApart(thisSystem()).map(async (identity) => ({ identity, possible: await isPossible(identity) })),
);

describe('a process with the identity of a browser', () => {
  for (const { identity, possible } of apart) {
    (possible ? it : it.skip)(`cannot read the environment of the service (${identity})`, async () => {
      const environ = `/proc/${process.pid}/environ`;
      await expect(runAs(identity, ['cat', environ])).rejects.toThrow(/Permission denied/);
      // We ourselves can, and so could a browser that were as we are.
      expect(await runAs('same-user', ['cat', environ])).toContain('PATH=');
    });
  }
});

/** For what holds only where the browsers of these tests have their sandbox. */
const itWithSandbox = process.platform === 'linux' && sandbox ? it : it.skip;

describeWithChromium('a browser among the processes of the machine', () => {
  let server: Site;
  let browsers: BrowserLauncher;
  let session: BrowserSession;
  let folder: string;
  beforeAll(async () => {
    server = await site({
      '/file': (_request, response) => {
        response.writeHead(200, { 'content-disposition': 'attachment; filename="file.txt"' }).end('text');
      },
      '/': '<title>Home</title>',
    });
    process.env['AOS_BROWSER_TEST_SECRET'] = 'sealed';
    browsers = launcher();
    session = await browsers.open();
    const { downloads } = await session.open(`${server.url}/file`);
    folder = dirname(dirname(downloads[0]?.path ?? ''));
    await session.open(`${server.url}/`);
  });
  afterAll(async () => {
    delete process.env['AOS_BROWSER_TEST_SECRET'];
    await browsers.close();
    await server.close();
  });

  /** Fields of `/proc/<id>/status` and the command line of each process of the browser. */
  async function processes() {
    return Promise.all(
      (await processesOf(folder)).map(async (id) => ({
        id,
        command: await readFile(`/proc/${id}/cmdline`, 'utf8'),
        status: await readFile(`/proc/${id}/status`, 'utf8'),
      })),
    );
  }

  itWithSandbox('is apart from the service: another user, or a namespace of its own', async () => {
    const own = await readlink('/proc/self/ns/user');
    const each = await Promise.all(
      (await processes()).map(async ({ id, status }) => {
        const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
        // One that we may not look at is apart.
        const namespace = await readlink(`/proc/${id}/ns/user`).catch(() => 'hidden');
        return uid !== process.getuid?.() || namespace !== own;
      }),
    );
    expect(each.length).toBeGreaterThan(1);
    expect(each).not.toContain(false);
  });

  itWithSandbox(
    'has its sandbox: filters of system calls for pages, and nowhere the word that takes it away',
    async () => {
      const all = await processes();
      expect(all.filter(({ command }) => command.includes('--no-sandbox'))).toEqual([]);
      const renderers = all.filter(({ command }) => command.includes('--type=renderer'));
      expect(renderers.length).toBeGreaterThan(0);
      for (const { status } of renderers) expect(status).toMatch(/^Seccomp:\s+2$/m);
    },
  );

  it('shows no page of its own, such as that of an address bar', async () => {
    const commands = (await processes()).map(({ command }) => command);
    expect(commands.filter((command) => command.includes('--top-chrome-webui'))).toEqual([]);
  });

  it('has nothing of the environment of the service', async () => {
    const all = await processes();
    const main = all.find(({ command }) => !/--type=|crashpad/.test(command));
    const environment = await readFile(`/proc/${main?.id}/environ`, 'utf8');
    expect(environment).toContain(`HOME=${folder}`);
    expect(environment).not.toMatch(/AOS_BROWSER_|TEST_DATABASE_URL/);
  });
});
