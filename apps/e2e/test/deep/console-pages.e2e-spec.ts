import { eventually } from '@aos/testing';
import type { Locator, Page } from 'playwright-core';
import { axeViolations, signInByKey } from '../../src/console/console-browser.js';
import { setScene, type ConsoleScene } from '../../src/console/console-scene.js';
import { describeConsole } from '../../src/console/describe-console.js';
import { makeAgent, makeRun, steps } from '../../src/sample-agents.js';

const looks = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['on a phone', { width: 390, height: 800 }],
] as const;

describeConsole('the pages of the console', 'Lamp shop', (stage) => {
  let scene: ConsoleScene;

  beforeAll(async () => {
    scene = await setScene(stage.team, stage.product.oauth!.mcpServerUrl);
  });

  const settled = async (page: Page) => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await eventually(async () => expect(await page.getByRole('status', { name: 'Loading' }).count()).toBe(0));
  };

  it.each(looks)('are accessible to all (%s), and break none of their own rules', async (_name, look) => {
    const page = await stage.browser.page(look);
    await page.goto(`${stage.base}/console`);
    expect(await axeViolations(page)).toEqual([]);
    await signInByKey(page, stage.base, stage.team.key);
    const found: Record<string, unknown> = {};
    for (const [name, path] of Object.entries(scene.pages)) {
      await page.goto(stage.base + path);
      await settled(page);
      const violations = await axeViolations(page);
      if (violations.length > 0) found[name] = violations;
    }
    expect(found).toEqual({});
    await page.context().close();
  });

  it('fit on a phone, and their dialogs do', async () => {
    const page = await stage.browser.page({ width: 390, height: 844 });
    await signInByKey(page, stage.base, stage.team.key);
    const tooWide: string[] = [];
    for (const [name, path] of Object.entries(scene.pages)) {
      await page.goto(stage.base + path);
      await settled(page);
      if (Number(await page.evaluate('document.documentElement.scrollWidth')) > 390) tooWide.push(name);
    }
    expect(tooWide).toEqual([]);
    await page.goto(`${stage.base}/console/keys`);
    await page.getByRole('button', { name: 'New key' }).click();
    const box = (await page.getByRole('dialog').boundingBox())!;
    expect([box.x >= 0, box.x + box.width <= 390]).toEqual([true, true]);
    await page.context().close();
  });

  it('keep what is in a row in its row', async () => {
    const page = await stage.browser.page({ width: 1440 });
    await page.route('**/v2/teams/*/runs?*', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: object[]; total: number };
      const judged = { eval_summary: { passed: 1, total: 2, has_issues: true } };
      const metadata = { metadata: { started_in: 'playground' } };
      const data = body.data.map((run) => ({ ...run, ...judged, ...metadata, status: 'completed' }));
      await route.fulfill({ response: answer, json: { ...body, data } });
    });
    await signInByKey(page, stage.base, stage.team.key, '/console/runs');
    const row = page.getByRole('row').nth(1);
    await row.getByText('issues').waitFor();
    const [outer, inner] = [(await row.boundingBox())!, (await row.getByText('issues').boundingBox())!];
    expect([inner.y >= outer.y, inner.y + inner.height <= outer.y + outer.height]).toEqual([true, true]);
    await page.context().close();
  });

  it('come after a reload when a part of them could not be loaded', async () => {
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, '/console/runs');
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    await page.route('**/usage-page*.js', (route) => route.abort());
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByText('This page could not be loaded').waitFor();
    await page.unroute('**/usage-page*.js');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    // The browser says that it could not load it.
    stage.browser.problems.splice(0);
    await page.context().close();
  });

  it('are reached by their links, and an unknown one says so', async () => {
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, '/console/nowhere');
    await page.getByText('There is no such page').waitFor();
    await page.goto(`${stage.base}/console/runs/00000000-0000-7000-8000-000000000000`);
    await page.getByText('It is not there.').waitFor();
    await page.context().close();
  });

  it('run nothing of what an agent wrote', async () => {
    const hostile = [
      '<img src=x onerror="window.hacked=1">',
      '<script>window.hacked=1</script>',
      '<svg onload="window.hacked=1"></svg>',
      '[click](javascript:window.hacked=1)',
    ].join(' ');
    const agentId = await makeAgent(
      stage.team,
      steps(
        `say ${hostile}`,
        `tool write_file {"path": "x<img src=x onerror=window.hacked=1>.html", "content": "<script>window.hacked=1</script>"}`,
        'tool write_file {"path": "picture.svg", "content": "<svg xmlns=\\"http://www.w3.org/2000/svg\\" onload=\\"window.hacked=1\\"/>"}',
        `approve ${hostile}`,
      ),
    );
    const runId = await makeRun(stage.team, agentId, { message: hostile });
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, `/console/runs/${runId}`);
    await page.getByText('It waits for the approval').waitFor();
    for (const name of [/^x<img/, /picture\.svg/]) {
      await page.getByRole('button', { name }).click();
      await page
        .getByRole('dialog')
        .getByText(/hacked/)
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
    }
    await page.goto(`${stage.base}/console/inbox`);
    await page.getByRole('heading', { name: /onerror/ }).waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.locator('main :is(script, svg[onload], a[href^="javascript"])').count()).toBe(0);
    await page.context().close();
  });

  it('show a page that was made in a frame that can do nothing', async () => {
    const page = await stage.browser.page();
    await page.route('**/export/html', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<h1>Figures</h1><script>parent.postMessage('out', '*'); document.body.dataset.ran = 'yes'</script>
          <style>h1 { color: rgb(1, 2, 3) }</style><img src="${stage.base}/v2/openapi.json"><form action="${stage.base}/console"><button>Go</button></form>`,
      }),
    );
    const asked: string[] = [];
    page.on('requestfinished', (request) => asked.push(request.url()));
    await signInByKey(page, stage.base, stage.team.key, '/console/artifacts');
    const inner = page.frameLocator('iframe.confined').frameLocator('iframe');
    await inner.getByRole('heading', { name: 'Figures' }).waitFor();
    expect(await inner.getByRole('heading').evaluate(colorOf)).toBe('rgb(1, 2, 3)');
    expect(await inner.locator('body').getAttribute('data-ran')).toBeNull();
    expect(asked.filter((url) => url.endsWith('openapi.json'))).toEqual([]);
    // That it was kept from it is what the browser complains of.
    expect(stage.browser.problems.splice(0).every((problem) => /policy|sandbox/i.test(problem))).toBe(true);
    await page.context().close();
  });

  it('waste no room: a toolbar is one line, a short list is short, a few words stay together', async () => {
    const page = await stage.browser.page({ width: 1280 });
    await signInByKey(page, stage.base, stage.team.key);
    const boxOf = async (of: Locator) => {
      await of.waitFor();
      return (await of.boundingBox())!;
    };
    const middle = ({ y, height }: { y: number; height: number }) => Math.round(y + height / 2);
    await page.goto(`${stage.base}/console/queues`);
    const search = await boxOf(page.getByLabel('Search the cases'));
    const last = await boxOf(page.getByRole('button', { name: 'Delete', exact: true }));
    expect(Math.abs(middle(search) - middle(last))).toBeLessThan(4);

    await page.goto(`${stage.base}/console/runs`);
    const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row');
    await rows.nth(1).waitFor();
    const list = await boxOf(page.getByRole('region', { name: 'Runs' }));
    const lowest = await boxOf(rows.last());
    expect(list.y + list.height - lowest.y - lowest.height).toBeLessThan(20);

    await page.goto(`${stage.base}/console/connections`);
    const unset = page.getByText('not set up', { exact: true });
    await unset.first().waitFor();
    const boxes = await Promise.all((await unset.all()).map(boxOf));
    expect(Math.max(...boxes.map(({ height }) => height))).toBeLessThan(24);
    await page.context().close();
  });

  it.each([
    ['light', 'dark'],
    ['dark', 'light'],
  ] as const)('are %s where the person says so, on a machine that is %s', async (chosen, machine) => {
    const page = await stage.browser.page({ colorScheme: machine });
    await signInByKey(page, stage.base, stage.team.key);
    const ground = () => page.evaluate(`getComputedStyle(document.body).backgroundColor`);
    const ofMachine = await ground();
    await page.evaluate(`localStorage.setItem('aos-theme', '${chosen}')`);
    await page.reload();
    await page.getByRole('navigation').waitFor();
    expect(await ground()).not.toBe(ofMachine);
    expect(await ground()).toBe(chosen === 'dark' ? 'rgb(16, 20, 27)' : 'rgb(246, 247, 249)');
    await page.context().close();
  });
});

/** Runs in the page, whose names the compiler does not know here; a text would be refused by the frame's policy. */
function colorOf(element: object): string {
  const { getComputedStyle } = globalThis as unknown as { getComputedStyle(of: object): { color: string } };
  return getComputedStyle(element).color;
}
