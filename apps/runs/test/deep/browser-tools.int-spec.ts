import { readdir, readFile } from 'node:fs/promises';
import { canKeepApart, findChromium } from '@aos/browser';
import {
  describeToolSets,
  findFile,
  getAgentRunScreenshotTimeline,
  getRunScreenshotTimeline,
  listBrowserSessionPages,
  respondToHumanRequest,
  stopRun,
} from '@aos/contracts';
import { FileLinks, Files, type FileStore } from '@aos/file-store';
import { ServiceClient } from '@aos/messaging';
import { describeWhere, eventually } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { startRuns, type RunsUnderTest } from '../runs-under-test.js';
import {
  agentWith,
  callEnds,
  linesOf,
  perform,
  startSite,
  type Call,
  type Site,
} from '../tools-under-test.js';

const path = process.env['PATH'] ?? '';
// Off only where neither another user nor a namespace can be had.
const sandbox = { BROWSER_SANDBOX: (await canKeepApart()) ? 'on' : 'off' };
const chromium = {
  isThere: (await findChromium({ path })) !== undefined,
  missing: 'no Chromium on the PATH',
};

const shop = `<!doctype html><title>Shop</title><h1>Shop</h1>
  <form action="/found"><input name="q" value="old"><button>Search</button></form>
  <a id="prices" href="/prices.csv">Prices</a>`;

interface Opened {
  readonly url: string;
  readonly title: string;
  readonly status?: number;
  readonly text?: string;
  readonly downloads?: string[];
}

/** Browsers that this process has started. */
async function browserProcesses(): Promise<number> {
  const ids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const own = await Promise.all(
    ids.map(async (id) => {
      const status = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
      const [state, parent] = status.slice(status.lastIndexOf(')') + 2).split(' ');
      const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
      return state !== 'Z' && Number(parent) === process.pid && command.includes('aos-browser-');
    }),
  );
  return own.filter(Boolean).length;
}

describeWhere(chromium, 'the browser of a run', () => {
  let runs: RunsUnderTest;
  let site: Site;

  beforeAll(async () => {
    site = await startSite({
      '/': shop,
      '/found?q=tea': '<!doctype html><title>Found</title><h1>Tea</h1><p id="price">4 euros</p>',
      '/prices.csv': (response) => {
        response.setHeader('content-disposition', 'attachment; filename="../prices.csv"');
        response.setHeader('content-type', 'text/csv');
        response.end('tea,4');
      },
      '/press': `<!doctype html><title>Press</title><button onclick="fetch('/pressed', { method: 'POST' })">Go</button>`,
      '/emoji': `<!doctype html><title>${'x'.repeat(499)}😀</title>`,
      '/nul': `<!doctype html><script>document.title = 'a\\0b'</script>`,
      '/half': `<!doctype html><script>document.title = 'half \\uD83D'</script>`,
    });
    runs = await startRuns({
      environment: { ...sandbox, PATH: path, EGRESS_ALLOW_CIDRS: '127.0.0.0/8', BROWSER_MAX_SESSIONS: '1' },
    });
  });

  afterAll(async () => {
    await runs?.stop();
    expect(await browserProcesses()).toBe(0);
    await site?.close();
  });

  const open = (page = '/'): Call => ['browser_open', { url: site.url(page) }];
  const timeline = (runId: string) => runs.call(getRunScreenshotTimeline, { params: { run_id: runId } });
  const noneLeft = () => eventually(async () => expect(await browserProcesses()).toBe(0));

  async function respond(runId: string): Promise<void> {
    const { pending_human_request: request } = await runs.show(runId);
    const params = { run_id: runId, request_id: request!.id };
    await runs.call(respondToHumanRequest, { params, body: { answers: { 'Go on?': 'yes' } } });
  }

  it('is there to be used', async () => {
    const { tool_sets: sets } = await runs.running.app.get(ServiceClient).call(describeToolSets, {});
    expect(sets.find(({ name }) => name === 'browser')).toMatchObject({ configured: true });
  });

  it('shows pages whatever they call themselves', async () => {
    const { run, ends } = await perform(runs, [open('/emoji'), open('/nul'), open('/half')]);
    expect(ends.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
    const { body } = await timeline(run.id);
    expect(body.screenshots.map(({ title }) => title)).toEqual([
      'x'.repeat(499),
      expect.stringMatching(/^a.b$/),
      'half \uFFFD',
    ]);
  });

  it('opens pages, types, clicks, reads and downloads, and shows it all', async () => {
    const { run, ends } = await perform(runs, [
      open(),
      ['browser_click', { selector: '#prices' }],
      ['browser_type', { selector: 'input', text: 'tea' }],
      ['browser_click', { selector: 'text=Search' }],
      ['browser_read', { selector: '#price' }],
      ['browser_read'],
      ['browser_screenshot'],
      ['list_files', { path: 'downloads' }],
    ]);
    const [opened, downloaded, typed, found, price, text, shot] = ends.map(({ result }) => result as Opened);
    expect(opened).toMatchObject({ url: site.url(), title: 'Shop', status: 200 });
    const [file] = downloaded!.downloads!;
    expect(file).toMatch(/^\/workspace\/downloads\/[^/]*prices\.csv$/);
    expect(typed).toMatchObject({ title: 'Shop' });
    expect(found).toMatchObject({ url: site.url('/found?q=tea'), title: 'Found' });
    expect(price).toMatchObject({ text: '4 euros' });
    expect(text!.text).toMatch(/Tea[^]*4 euros/);
    expect(shot).toMatchObject({ title: 'Found' });
    expect((ends[7]!.result as { files: { path: string }[] }).files.map((one) => one.path)).toEqual([file]);

    expect((await bytesOf(run.id, file!)).toString('utf8')).toBe('tea,4');

    const { status, body } = await timeline(run.id);
    expect([status, body.total, body.run_id]).toEqual([200, 7, run.id]);
    expect(body.screenshots.map(({ action, title }) => [action, title])).toEqual([
      ['open', 'Shop'],
      ['click', 'Shop'],
      ['type', 'Shop'],
      ['click', 'Found'],
      ['read', 'Found'],
      ['read', 'Found'],
      ['screenshot', 'Found'],
    ]);
    expect(new Set(body.screenshots.map(({ session_id: id }) => id)).size).toBe(1);
    for (const { file_path: picture, width, height, download_url: url } of body.screenshots) {
      expect(await sizeOf(run.id, picture)).toEqual({ width, height });
      const token = url.slice(url.lastIndexOf('/') + 1);
      const linked = { teamId: runs.teamId, sandboxId: run.id, path: picture };
      expect(runs.running.app.get(FileLinks).open('download', token)).toEqual(linked);
    }
    const told = (await runs.events(run.id)).filter((event) => event === 'run.file.created');
    expect(told).toHaveLength(8);
  });

  async function bytesOf(runId: string, filePath: string): Promise<Buffer> {
    const { app } = runs.running;
    const wanted = { team_id: runs.teamId, of: { run_id: runId }, path: filePath };
    const { key } = await app.get(ServiceClient).call(findFile, wanted);
    const { stream } = await app.get<FileStore>(Files).read(key);
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  /** The size of a picture, from the very bytes of the PNG. */
  async function sizeOf(runId: string, picture: string) {
    const bytes = await bytesOf(runId, picture);
    expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }

  it('is closed when the run ends, and its pages are shown as closed', async () => {
    const { run } = await perform(runs, [open()]);
    await noneLeft();
    const [shot] = (await timeline(run.id)).body.screenshots;
    const params = { session_id: shot!.session_id };
    await eventually(async () => {
      const { status, body } = await runs.call(listBrowserSessionPages, { params });
      expect([status, body]).toEqual([
        200,
        {
          session_id: shot!.session_id,
          run_id: run.id,
          pages: [
            {
              page_id: shot!.page_id,
              url: site.url(),
              title: 'Shop',
              opened_at: expect.any(String),
              closed_at: expect.any(String),
            },
          ],
        },
      ]);
    });
    const foreign = { teamId: uuidv7() };
    const refused = [
      await runs.call(listBrowserSessionPages, { params, ...foreign }),
      await runs.call(listBrowserSessionPages, { params: { session_id: uuidv7() } }),
      await runs.call(getRunScreenshotTimeline, { params: { run_id: run.id }, ...foreign }),
      await runs.call(getAgentRunScreenshotTimeline, { params: { agent_id: uuidv7(), run_id: run.id } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const alias = { agent_id: run.agent_id, run_id: run.id };
    const { body } = await runs.call(getAgentRunScreenshotTimeline, { params: alias });
    expect(body.screenshots.map(({ id }) => id)).toEqual([shot!.id]);
  });

  it('shows nothing where it was not used', async () => {
    const { run } = await perform(runs, [['browser_click', { selector: 'a' }]]);
    expect((await timeline(run.id)).body).toEqual({ run_id: run.id, screenshots: [], total: 0 });
    expect((await callEnds(runs, run.id))[0]!.error).toBe('No page is open. Open an address first.');
  });

  it('opens no files, no pages of its own and nothing on the inside', async () => {
    const urls = [
      'file:///etc/passwd',
      'chrome://version',
      'view-source:http://10.0.0.1/',
      'http://10.0.0.1/',
    ];
    const { ends } = await perform(
      runs,
      urls.map((url) => ['browser_open', { url }]),
    );
    expect(ends.map(({ error }) => typeof error)).toEqual(urls.map(() => 'string'));
    expect(JSON.stringify(ends)).not.toContain('root:');
  });

  it('stays open while the run waits, and makes room for one that works', async () => {
    const steps = [...linesOf([open('/found?q=tea')]), 'ask Go on?', ...linesOf([['browser_read']])];
    const agentId = await agentWith(runs, [...steps, 'finish done']);
    const first = await runs.start(agentId);
    await runs.reach(first.id, 'waiting');
    expect(await browserProcesses()).toBe(1);
    await respond(first.id);
    await runs.reach(first.id, 'completed');
    expect((await callEnds(runs, first.id)).at(-1)!.result).toMatchObject({ title: 'Found' });

    const second = await runs.start(agentId);
    await runs.reach(second.id, 'waiting');
    await perform(runs, [open()]);
    await respond(second.id);
    await runs.reach(second.id, 'completed');
    expect((await callEnds(runs, second.id)).at(-1)!.error).toBe('No page is open. Open an address first.');
    await noneLeft();
  });

  /** The pictures of clicks meet this while they are stored, so many times. */
  const failPictures = async (times: number) => {
    await runs.database.query(`
      CREATE SEQUENCE runs.failed_pictures;
      CREATE FUNCTION runs.fail_picture() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('runs.failed_pictures') <= ${times} THEN
          RAISE 'There is no room on the disk.' USING ERRCODE = 'disk_full';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER fail_picture BEFORE INSERT ON runs.screenshot FOR EACH ROW WHEN (NEW.action = 'click')
        EXECUTE FUNCTION runs.fail_picture()`);
    return () =>
      runs.database.query(`
        DROP TRIGGER fail_picture ON runs.screenshot;
        DROP FUNCTION runs.fail_picture;
        DROP SEQUENCE runs.failed_pictures`);
  };

  it.each([
    ['later', 2, ['open', 'click'], undefined],
    ['not at all', 1_000, ['open'], [expect.stringMatching(/^The picture of the page: .*away/)]],
  ])('clicks once where the picture can be stored %s', async (_when, times, actions, notKept) => {
    const before = site.at('/pressed').length;
    const mend = await failPictures(times);
    try {
      const { run, ends } = await perform(runs, [open('/press'), ['browser_click', { selector: 'button' }]]);
      await eventually(() => expect(site.at('/pressed')).toHaveLength(before + 1));
      expect((ends[1]!.result as { not_kept?: string[] }).not_kept).toEqual(notKept);
      expect((await timeline(run.id)).body.screenshots.map(({ action }) => action)).toEqual(actions);
    } finally {
      await mend();
    }
  });

  it('is closed when the run is stopped, also while it waits', async () => {
    const agentId = await agentWith(runs, [...linesOf([open()]), 'ask Go on?', 'finish done']);
    const { id } = await runs.start(agentId);
    await runs.reach(id, 'waiting');
    expect(await browserProcesses()).toBe(1);
    await runs.call(stopRun, { params: { run_id: id } });
    await noneLeft();
  });
});

describeWhere(chromium, 'the browser of a run whose sandbox is full', () => {
  let runs: RunsUnderTest;
  let site: Site;

  beforeAll(async () => {
    site = await startSite({ '/': '<!doctype html><title>Shop</title>' });
    runs = await startRuns({
      environment: { ...sandbox, PATH: path, EGRESS_ALLOW_CIDRS: '127.0.0.0/8', SANDBOX_MAX_FILES: '1' },
    });
  });

  afterAll(async () => {
    await runs?.stop();
    await site?.close();
  });

  it('goes on, and says that the picture is not there', async () => {
    const { ends } = await perform(runs, [['browser_open', { url: site.url() }], ['browser_read']]);
    expect(ends.map(({ result }) => result)).toEqual([
      expect.objectContaining({ title: 'Shop', screenshot: expect.any(String) }),
      {
        title: 'Shop',
        url: site.url(),
        text: '',
        not_kept: ['The picture of the page: A sandbox has at most 1 files.'],
      },
    ]);
  });
});

describeWhere(chromium, 'the browser of a run without leave for loopback', () => {
  let runs: RunsUnderTest;
  let site: Site;

  beforeAll(async () => {
    site = await startSite({ '/': 'secret' });
    runs = await startRuns({ environment: { ...sandbox, PATH: path } });
  });

  afterAll(async () => {
    await runs?.stop();
    await site?.close();
  });

  it('does not open what is inside', async () => {
    const { ends } = await perform(runs, [['browser_open', { url: site.url() }]]);
    expect(ends[0]!.error).toEqual(expect.any(String));
    expect(site.seen).toEqual([]);
  });
});

describe('the browser of a run on a machine that does not let it have its sandbox', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    // Stands for a Chromium that cannot build its walls, and ends.
    runs = await startRuns({ environment: { CHROMIUM_PATH: '/bin/false', PATH: '/usr/bin:/bin' } });
  });

  afterAll(() => runs?.stop());

  it('is not started, and the answer says what can be done', async () => {
    const { ends } = await perform(runs, [['browser_open', { url: 'https://example.com/' }]]);
    expect(ends[0]!.error).toMatch(/cannot be started in its sandbox.*BROWSER_SANDBOX=off/);
  });
});
