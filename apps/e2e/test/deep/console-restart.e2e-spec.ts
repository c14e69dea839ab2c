import { getRun, respondToHumanRequest } from '@aos/contracts';
import { describeWhere, eventually } from '@aos/testing';
import type { Locator, Page } from 'playwright-core';
import type { ApiClient } from '../../src/api-client.js';
import { chromiumNeeded, ConsoleBrowser, signInByKey } from '../../src/console/console-browser.js';
import { makeAgent, makeRun, pendingRequest, steps } from '../../src/sample-agents.js';
import { startStack, type Stack } from '../../src/stack.js';
import { connectAdmin, newTeam, type Team } from '../../src/team.js';

const away = 'The gateway is away; trying again';

/** Pages are served by the first gateway, whose process is killed; the world goes on by the second. */
describeWhere(chromiumNeeded, 'the console while the gateway is restarted', () => {
  let stack: Stack;
  let browser: ConsoleBrowser;
  let team: Team;
  let base: string;
  let meanwhile: ApiClient;

  beforeAll(async () => {
    stack = await startStack({
      // The other gateway, and what is behind both, go on.
      together: false,
      gateways: 2,
      services: ['agents-and-revisions', 'runs', 'webhook-dispatcher', 'billing'],
    });
    base = stack.urls[0]!;
    browser = await ConsoleBrowser.start();
    team = await newTeam(await connectAdmin(stack), 'Night shift');
    meanwhile = team.client.at(stack.urls[1]!);
  });

  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  it('says so, comes back by itself, and has all that happened meanwhile, once', async () => {
    const elsewhere = { ...team, client: meanwhile };
    const asking = steps('say Looking at it', 'ask Go on? | Yes', 'say Going on', 'finish Went on');
    const watched = await makeRun(team, await makeAgent(team, asking), { message: 'A long way' });
    await makeRun(team, await makeAgent(team, steps('approve Close the shop?', 'finish Closed')));
    const [run, inbox, list] = [
      await opened(`/console/runs/${watched}`),
      await opened('/console/inbox'),
      await opened('/console/runs'),
    ];
    const pages = [run, inbox, list];
    await run.getByText('It waits for the answer').waitFor();
    await expectInInbox(inbox, ['Close the shop?', 'Go on?']);
    await list.getByRole('row', { name: /A long way.*Waiting/ }).waitFor();

    const startAgain = await stack.killGateway();
    for (const page of pages) await page.getByText(away).waitFor();
    await meanwhile.succeed(respondToHumanRequest, {
      params: await pendingRequest(elsewhere, watched),
      body: { answers: { 'Go on?': 'Yes' } },
    });
    await eventually(async () =>
      expect(await meanwhile.succeed(getRun, { params: { run_id: watched } })).toMatchObject({
        status: 'completed',
      }),
    );
    const refund = await makeAgent(elsewhere, steps('approve Refund Bob?', 'finish Refunded'));
    await makeRun(elsewhere, refund, { message: 'Order 78' });
    // What could not be said is not shown as said, and what was there is still to be read.
    await requestOf(inbox, 'Close the shop?').getByRole('button', { name: 'Approve' }).click();
    await inbox.getByText('Once it is back, look whether it was done').waitFor();
    await expectInInbox(inbox, ['Close the shop?', 'Go on?']);
    await run.getByText('Looking at it').waitFor();
    expect(await run.getByText('Completed. Send a message').count()).toBe(0);

    await startAgain();
    for (const page of pages) await page.getByText(away).waitFor({ state: 'detached' });
    await run.getByText('Completed. Send a message').waitFor();
    // What was settled meanwhile keeps its place until it is cleared.
    await requestOf(inbox, 'Go on?').getByText('No longer pending').waitFor();
    await inbox.getByRole('button', { name: 'Clear 1 settled' }).click();
    await expectInInbox(inbox, ['Close the shop?', 'Refund Bob?']);
    await inbox.getByLabel('2 waiting').waitFor();
    await list.getByRole('row', { name: /Order 78.*Waiting/ }).waitFor();
    await list.getByRole('row', { name: /A long way.*Completed/ }).waitFor();
    expect(await list.getByRole('row').count()).toBe(1 + 3);
    for (const said of ['A long way', 'Looking at it', 'Going on']) {
      const entries = run.getByRole('list', { name: 'Timeline' }).getByText(said, { exact: true });
      expect(await entries.count()).toBe(1);
    }

    // The streams are live again, not only caught up.
    await requestOf(inbox, 'Close the shop?').getByRole('button', { name: 'Approve' }).click();
    await inbox.getByText('Approved. The run continues.').waitFor();
    await inbox.getByRole('button', { name: 'Clear 1 settled' }).click();
    await expectInInbox(inbox, ['Refund Bob?']);
    await makeRun(team, refund, { message: 'Order 79' });
    await list.getByRole('row', { name: /Order 79.*Waiting/ }).waitFor();
    await expectInInbox(inbox, ['Refund Bob?', 'Refund Bob?']);
    expect(browser.problems).toEqual([]);
  });

  async function opened(path: string): Promise<Page> {
    const page = await browser.page();
    await signInByKey(page, base, team.key, path);
    return page;
  }

  function requestOf(page: Page, title: string): Locator {
    return page.locator('section', { has: page.getByRole('heading', { name: title }) });
  }

  async function expectInInbox(page: Page, titles: readonly string[]): Promise<void> {
    await eventually(async () =>
      expect((await page.getByRole('heading', { level: 2 }).allTextContents()).toSorted()).toEqual(titles),
    );
  }
});
