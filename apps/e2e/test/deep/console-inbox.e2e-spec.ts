import {
  createCases,
  createCaseTrigger,
  createQueue,
  getRun,
  listHumanRequests,
  updateCaseTrigger,
} from '@aos/contracts';
import type { Page } from 'playwright-core';
import { signInByKey } from '../../src/console/console-browser.js';
import { describeConsole } from '../../src/console/describe-console.js';
import { makeAgent, makeDraft, makeRun, steps } from '../../src/sample-agents.js';

describeConsole('the inbox of the console', 'Approvals', (stage) => {
  const cardOf = (page: Page, text: string) => page.locator('.request-card', { hasText: text });

  it('says what a request is about, and keeps the places of those that are settled', async () => {
    const procedure = steps('approve Legal form', 'tool complete_case {}', 'finish Done');
    const agentId = await makeAgent(stage.team, procedure);
    const { queue_id: queueId } = await stage.team.client.succeed<{ queue_id: string }>(createQueue, {
      params: { teamId: stage.team.id },
      body: { name: 'Suppliers' },
    });
    const cases = ['Brassworks', 'Velo Courier'].map((title) => ({ title }));
    await stage.team.client.succeed(createCases, { params: { queue_id: queueId }, body: { cases } });
    const { trigger_id } = await stage.team.client.succeed<{ trigger_id: string }>(createCaseTrigger, {
      params: { agent_id: agentId },
      body: { case_queue_id: queueId },
    });
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, '/console/inbox');
    const [brass, velo] = [cardOf(page, 'Brassworks'), cardOf(page, 'Velo Courier')];
    await brass.getByText('in Suppliers').waitFor();
    await velo.getByText('in Suppliers').waitFor();
    // A case whose run was denied is not given out again.
    await stage.team.client.succeed(updateCaseTrigger, {
      params: { agent_id: agentId, trigger_id },
      body: { enabled: false },
    });
    const order = await page.locator('.request-card').allTextContents();
    const [first, second] = order[0]!.includes('Brassworks') ? [brass, velo] : [velo, brass];

    await first.getByRole('button', { name: 'Deny…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Deny “Legal form”?' });
    expect(await dialog.getByRole('button', { name: 'Deny' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('No such company.');
    const place = (await second.boundingBox())!;
    await dialog.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('Denied. The agent is told why').waitFor();
    await first.getByText('Denied by you').waitFor();
    await first.getByText('No such company.').waitFor();
    await page.getByText('1 pending request', { exact: true }).waitFor();
    expect(await page.locator('.request-card').count()).toBe(2);
    expect((await second.boundingBox())!.y).not.toBeLessThan((await first.boundingBox())!.y);
    expect(place.y).toBeGreaterThan(0);
    expect(await page.evaluate(`document.activeElement.className`)).toBe('request-card');

    // The run says the same.
    await first.getByRole('link', { name: 'See the run' }).click();
    const entry = page.getByRole('list', { name: 'Timeline' });
    await entry.getByText('Denied by you').waitFor();
    expect(await entry.getByText('"approved"').count()).toBe(0);
    await page.goto(`${stage.base}/console/inbox`);
    await page.getByLabel('Filter the requests').fill('nobody is called so');
    await page.getByText('No request matches').waitFor();
    await page.getByText('1 request is pending, none of them like this.').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved by you').waitFor();
    await page.getByRole('button', { name: 'Clear 1 settled' }).click();
    await page.getByText('No pending requests').waitFor();
    await page.context().close();
  });

  it('takes one vote of a key, and says that others are needed', async () => {
    const procedure = steps(
      'tool request_approval {"title": "Pay 9 EUR?", "required_approvals": 2}',
      'finish Paid',
    );
    await makeRun(stage.team, await makeAgent(stage.team, procedure), { message: 'Bill 7' });
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, '/console/inbox');
    const card = cardOf(page, 'Bill 7');
    await card.getByRole('button', { name: 'Approve' }).click();
    await card.getByText('You have voted. Missing: 1').waitFor();
    await card.getByText('1 of 2 approvals').waitFor();
    expect(await card.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await page.context().close();
  });

  it('is not asked by runs of the playground, which are marked as such', async () => {
    const agentId = await makeAgent(stage.team, steps('approve Really?', 'finish Done'));
    await makeDraft(stage.team, agentId);
    const pending = async () => {
      const query = { status: 'pending' };
      const params = { teamId: stage.team.id };
      return (await stage.team.client.succeed<{ total: number }>(listHumanRequests, { params, query })).total;
    };
    const before = await pending();
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, `/console/agents/${agentId}?tab=playground`);
    await page.getByText('This starts two real runs').waitFor();
    await page.getByLabel('Message for both').fill('Try this');
    await page.getByRole('button', { name: 'Start two runs' }).click();
    const links = page.getByRole('tabpanel').getByRole('link', { name: 'See the run' });
    await links.nth(1).waitFor();
    const runId = (await links.first().getAttribute('href'))!.split('/').at(-1)!;
    await page.getByText('Completed', { exact: true }).nth(1).waitFor();
    const { run } = await stage.team.client.succeed<{ run: object }>(getRun, { params: { run_id: runId } });
    expect(run).toMatchObject({ human_in_the_loop_enabled: false, metadata: { started_in: 'playground' } });
    expect(await pending()).toBe(before);
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page
      .getByRole('row', { name: /Try this.*playground/ })
      .first()
      .waitFor();
    await page.context().close();
  });
});
