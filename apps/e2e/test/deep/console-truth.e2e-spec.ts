import {
  createCases,
  createConnection,
  createQueue,
  getConnection,
  listAgentCaseTriggers,
} from '@aos/contracts';
import type { Locator } from 'playwright-core';
import { signInByKey } from '../../src/console/console-browser.js';
import { describeConsole } from '../../src/console/describe-console.js';
import { makeAgent, makeRun, steps } from '../../src/sample-agents.js';

describeConsole('the console says what is so', 'Inspection', (stage) => {
  const newQueue = async (name: string, titles: readonly string[]) => {
    const { queue_id: queueId } = await stage.team.client.succeed<{ queue_id: string }>(createQueue, {
      params: { teamId: stage.team.id },
      body: { name },
    });
    const cases = titles.map((title) => ({ title }));
    await stage.team.client.succeed(createCases, { params: { queue_id: queueId }, body: { cases } });
    return queueId;
  };

  it('of a run whose tool calls failed', async () => {
    const procedure = steps('tool no_such_tool {}', 'tool no_such_tool {}', 'finish Nothing was done');
    const runId = await makeRun(stage.team, await makeAgent(stage.team, procedure));
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, `/console/runs/${runId}`);
    await page.getByText('Completed, but all 2 tool calls failed.').waitFor();
    await page.context().close();
  });

  it('of a connection, only once its server was asked with its key', async () => {
    const { connection_id: id } = await stage.team.client.succeed<{ connection_id: string }>(
      createConnection,
      {
        params: { teamId: stage.team.id },
        body: {
          name: 'Shelf',
          server_url: stage.product.oauth!.mcpServerUrl,
          auth_method: 'apikey',
          api_key: 'wrong',
        },
      },
    );
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, '/console/connections');
    const row = page.getByRole('row', { name: /Shelf/ });
    await row.getByText('Not checked').waitFor();
    expect(await row.getByText('Active').count()).toBe(0);
    await row.getByRole('button', { name: 'Check' }).click();
    await row.getByText('Broken').waitFor();
    await row.getByText('refused the credentials').waitFor();
    expect(await stage.team.client.succeed(getConnection, { params: { connection_id: id } })).toMatchObject({
      status: 'broken',
    });
    await page.context().close();
  });

  it('of the runs that work on a queue starts, before it starts', async () => {
    const queueId = await newQueue('Returns', ['First', 'Second', 'Third']);
    const agentId = await makeAgent(stage.team, steps('ask How? | So', 'finish Done'));
    const triggers = async () => {
      const params = { agent_id: agentId };
      return (await stage.team.client.succeed<{ total: number }>(listAgentCaseTriggers, { params })).total;
    };
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, `/console/agents/${agentId}?tab=queue`);
    const begin = page.getByRole('button', { name: 'Work on its cases…' });
    await begin.waitFor();
    expect(await begin.isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Queue' }).selectOption({ label: 'Returns' });
    await begin.click();
    const dialog = page.getByRole('dialog', { name: 'Start work on Returns?' });
    await dialog.getByText('3 cases wait: 3 runs start').waitFor();
    expect(await triggers()).toBe(0);
    await dialog.getByLabel('Cases at a time').fill('2');
    await dialog.getByRole('button', { name: 'Start work' }).click();
    await page.getByText('2 at a time').waitFor();
    expect(await triggers()).toBe(1);

    // All of them are being worked on now: a change of all says so before it stops their runs.
    await page.goto(`${stage.base}/console/queues?queue=${queueId}`);
    await page
      .getByRole('row', { name: /Needs input/ })
      .nth(2)
      .waitFor();
    await page.getByLabel('Status').selectOption({ label: 'Not settled' });
    await page
      .getByRole('row', { name: /Needs input/ })
      .nth(2)
      .waitFor();
    await page.getByLabel('Choose First').check();
    const bar = page.getByRole('region', { name: 'Chosen cases' });
    await bar.getByLabel('all 3 that match').check();
    await bar.getByRole('button', { name: 'Status' }).click();
    await page.getByRole('menuitem', { name: 'Mark as completed…' }).click();
    const question = page.getByRole('dialog', { name: 'Mark 3 cases as completed?' });
    await question.getByText('3 cases are being worked on: their runs are stopped.').waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await page.getByRole('row', { name: /Needs input/ }).count()).toBe(3);
    await page.context().close();
  });

  /** Empties the editor first: Chromium styles text that replaces a selection, which the policy forbids. */
  async function write(form: Locator, text: string): Promise<void> {
    const editor = form.getByRole('textbox', { name: 'Procedure' });
    await editor.press('ControlOrMeta+a');
    await editor.press('Delete');
    await form.page().keyboard.insertText(text);
  }

  it('of a revision whose runs would fail, where it is made, edited and viewed', async () => {
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, '/console/agents');
    await page.getByRole('button', { name: 'New agent' }).click();
    const dialog = page.getByRole('dialog', { name: 'New agent' });
    await dialog.getByLabel('Name').fill('Printer');
    await write(dialog, '```steps\nprnt Hello\n```');
    await dialog.getByRole('button', { name: 'Make it' }).click();
    const warning = page
      .getByRole('main')
      .getByRole('status')
      .filter({ hasText: 'runs of this revision fail' });
    await warning.getByText('prnt').waitFor();

    await page.getByRole('button', { name: 'New draft' }).click();
    const draft = page.getByRole('form', { name: 'Draft' });
    await draft.getByLabel('Model').fill('openai/gpt-9');
    await draft.getByRole('button', { name: 'Save the draft' }).click();
    await warning.getByText('The model openai/gpt-9 is not configured').waitFor();
    expect(await warning.count()).toBe(1);
    await draft.getByLabel('Model').fill('builtin/scripted');
    await write(draft, '```steps\nfinish Hello\n```');
    await draft.getByRole('button', { name: 'Save the draft' }).click();
    await warning.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: /^1\..*Live/ }).click();
    await warning.getByText('prnt').waitFor();
    await page.context().close();
  });
});
