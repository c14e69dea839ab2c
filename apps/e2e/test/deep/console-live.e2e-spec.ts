import {
  createCases,
  createCaseTrigger,
  createQueue,
  respondToHumanRequest,
  type OperationResponse,
} from '@aos/contracts';
import { eventually } from '@aos/testing';
import type { Page } from 'playwright-core';
import { setVisible, signInByKey } from '../../src/console/console-browser.js';
import { describeConsole } from '../../src/console/describe-console.js';
import { makeAgent, makeRun, pendingRequest, steps } from '../../src/sample-agents.js';
import { newKey } from '../../src/team.js';

/** A browser has six connections to a host for all of its tabs (HTTP/1.1). */
const tabs = 7;

describeConsole('the console follows what happens', 'Watch', (stage) => {
  it('in however many tabs: each loads, is live while it is seen, and has all when it comes back', async () => {
    const asking = await makeAgent(
      stage.team,
      steps('say At it', 'approve Go on?', 'say Went on', 'finish Done'),
    );
    const watched = await makeRun(stage.team, asking, { message: 'Watched' });
    const first = await stage.browser.page();
    await signInByKey(first, stage.base, stage.team.key, `/console/runs/${watched}`);
    await first.getByText('It waits for the approval').waitFor();
    const opened: Page[] = [first];
    while (opened.length < tabs) {
      await setVisible(opened.at(-1)!, false);
      const page = await first.context().newPage();
      opened.push(page);
      await signInByKey(page, stage.base, stage.team.key, '/console/runs');
      await page.getByRole('row', { name: /Watched.*Waiting/ }).waitFor();
    }
    const last = opened.at(-1)!;
    await stage.team.client.succeed(respondToHumanRequest, {
      params: await pendingRequest(stage.team, watched),
      body: { approved: true },
    });
    await last.getByRole('row', { name: /Watched.*Completed/ }).waitFor();
    await setVisible(last, false);
    await setVisible(first, true);
    await first.getByText('Completed. Send a message').waitFor();
    await first.getByText('Went on', { exact: true }).waitFor();
    await makeRun(stage.team, asking, { message: 'Later' });
    await first.getByRole('link', { name: 'Runs' }).click();
    await first.getByRole('row', { name: /Later.*Waiting/ }).waitFor();
    await setVisible(first, false);
    await setVisible(opened[1]!, true);
    await makeRun(stage.team, await makeAgent(stage.team, steps('finish Done')), { message: 'Last' });
    await opened[1]!.getByRole('row', { name: /Last.*Completed/ }).waitFor();
    expect(await opened[1]!.getByRole('row').count()).toBe(1 + 3);
    await first.context().close();
  });

  it('in the dialog of a case: its run, from the first word to the last', async () => {
    type Queue = OperationResponse<typeof createQueue>;
    const { queue_id } = await stage.team.client.succeed<Queue>(createQueue, {
      params: { teamId: stage.team.id },
      body: { name: 'Refunds' },
    });
    const { added_cases: cases } = await stage.team.client.succeed<OperationResponse<typeof createCases>>(
      createCases,
      { params: { queue_id }, body: { case: { title: 'Lamp broken' } } },
    );
    const page = await stage.browser.page();
    const caseId = cases[0]!.case_id;
    await signInByKey(page, stage.base, stage.team.key, `/console/queues?queue=${queue_id}&case=${caseId}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No run has worked on it yet.').waitFor();
    const procedure = steps(
      ...['say Looking at it', 'ask Refund it? | Yes', 'say Refunding', 'tool complete_case {}'],
      'finish Refunded',
    );
    await stage.team.client.succeed(createCaseTrigger, {
      params: { agent_id: await makeAgent(stage.team, procedure) },
      body: { case_queue_id: queue_id },
    });
    const timeline = dialog.getByRole('list', { name: 'Timeline' });
    await timeline.getByText('Looking at it', { exact: true }).waitFor();
    await dialog.getByText('Needs input').first().waitFor();
    await timeline.getByLabel('Yes').check();
    await timeline.getByRole('button', { name: 'Send the answer' }).click();
    await timeline.getByText('Refunding', { exact: true }).waitFor();
    await timeline.getByText('complete_case').waitFor();
    await eventually(async () =>
      expect(await dialog.getByText('Completed', { exact: true }).count()).toBeGreaterThan(2),
    );
    await page.context().close();
  });

  it('by the clock for those who may not follow the events, or says why it cannot', async () => {
    const { key } = await newKey(stage.team, { name: 'reader', scopes: ['team:read', 'runs:read'] });
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, key, '/console/runs');
    await page.getByText('Refreshed every 15 s').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await makeRun(stage.team, await makeAgent(stage.team, steps('finish Done')), { message: 'By the clock' });
    await page.getByRole('row', { name: /By the clock/ }).waitFor({ timeout: 60_000 });
    await page.context().close();

    const other = await stage.browser.page();
    const body = { error: 'not_found', message: 'There are no events here' };
    await other.route('**/events/stream*', (route) => route.fulfill({ status: 404, json: body }));
    await signInByKey(other, stage.base, stage.team.key, '/console/runs');
    await other.getByText('There are no events here').waitFor();
    expect(await other.getByText('webhooks:manage').count()).toBe(0);
    await other.context().close();
  });
});
