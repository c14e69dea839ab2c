import { createCases, createQueue, startRun } from '@aos/contracts';
import { eventually } from '@aos/testing';
import { signInByKey } from '../../src/console/console-browser.js';
import { describeConsole } from '../../src/console/describe-console.js';
import { makeAgent, steps } from '../../src/sample-agents.js';

/** More than one page of any list, and more than the service changes by their ids at once. */
const many = 130;
const pageSize = 100;

describeConsole('more than a page of the console', 'Call center', (stage) => {
  it('is in the inbox, and what is due first is its first, however young it is', async () => {
    const ask = async (procedure: string, count: number) => {
      const body = { agent_id: await makeAgent(stage.team, procedure), message: 'Hello' };
      for (let number = 0; number < count; number += 1) {
        await stage.team.client.succeed(startRun, { params: { teamId: stage.team.id }, body });
      }
    };
    await ask(steps('approve Some day?'), many);
    const due = new Date(Date.now() + 3_600_000).toISOString();
    await ask(steps(`tool request_approval {"title": "Today?", "due_at": "${due}"}`), 1);
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, '/console/inbox');
    await page.getByLabel(`${many + 1} waiting`).waitFor();
    const titles = page.getByRole('heading', { level: 2 });
    await eventually(async () => expect(await titles.first().textContent()).toBe('Today?'));
    expect(await titles.count()).toBe(pageSize);
    await page.getByText(`${pageSize} of ${many + 1} requests`).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await eventually(async () => expect(await titles.count()).toBe(many + 1));
    await page.context().close();
  });

  it('is changed as it was chosen: all of it, and nothing is taken for done that is not', async () => {
    const { queue_id } = await stage.team.client.succeed<{ queue_id: string }>(createQueue, {
      params: { teamId: stage.team.id },
      body: { name: 'Complaints' },
    });
    const cases = Array.from({ length: many + 1 }, (_, number) => ({ title: `Case ${number}` }));
    for (const batch of [cases.slice(0, pageSize), cases.slice(pageSize)]) {
      await stage.team.client.succeed(createCases, { params: { queue_id }, body: { cases: batch } });
    }
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, `/console/queues?queue=${queue_id}`);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText(`${many + 1} cases of ${many + 1}`).waitFor();
    await page.getByLabel('Choose all that are shown').check();
    await page.getByLabel('Choose Case 0', { exact: true }).uncheck();
    const bar = page.getByRole('region', { name: 'Chosen cases' });
    await bar.getByText(`${many} cases`, { exact: true }).waitFor();
    const makeIt = async (priority: string) => {
      await bar.getByRole('button', { name: 'Priority' }).click();
      await page.getByRole('menuitem', { name: priority }).click();
    };
    // The second part is refused: those of the first are done, and the others are still chosen.
    let sent = 0;
    await page.route('**/bulk-update-priority', async (route) => {
      sent += 1;
      if (sent !== 2) return route.continue();
      return route.fulfill({ status: 409, json: { error: 'conflict', message: 'Not now' } });
    });
    await makeIt('high');
    await page.getByText('Not now').waitFor();
    await bar.getByText(`${many - pageSize} cases`, { exact: true }).waitFor();
    await page.getByRole('row', { name: /High/ }).first().waitFor();
    expect(await page.getByRole('row', { name: /High/ }).count()).toBe(pageSize);
    await makeIt('high');
    await page.getByText(`${many - pageSize} cases changed.`).waitFor();
    await eventually(async () => expect(await page.getByRole('row', { name: /High/ }).count()).toBe(many));
    await bar.waitFor({ state: 'detached' });

    await page.getByLabel('Choose all that are shown').check();
    await makeIt('medium');
    await page.getByText(`${many + 1} cases changed.`).waitFor();
    await page.context().close();
  });

  it('does once what is clicked twice', async () => {
    const agentId = await makeAgent(stage.team, steps('finish Done'));
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, `/console/agents/${agentId}`);
    let sent = 0;
    page.on('request', (request) => (sent += request.method() === 'POST' ? 1 : 0));
    await page.getByRole('button', { name: 'New draft' }).evaluate(clickTwice);
    await page.getByText('A draft is made').first().waitFor();
    await page.getByRole('button', { name: /^2\..*Draft/ }).waitFor();
    expect(sent).toBe(1);
    await page.context().close();
  });
});

/** Runs in the page: both before it can draw the button anew. */
function clickTwice(element: object): void {
  const button = element as { click(): void };
  button.click();
  button.click();
}
