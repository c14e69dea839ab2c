import { getRevision, promoteRevision } from '@aos/contracts';
import type { Page } from 'playwright-core';
import { signInByKey } from '../../src/console/console-browser.js';
import { describeConsole } from '../../src/console/describe-console.js';
import { makeAgent, makeDraft, steps } from '../../src/sample-agents.js';

interface KeptBuild {
  readonly status: string;
  readonly config: {
    readonly data: {
      readonly models: { readonly agent: { readonly model: string } };
      readonly options: object;
    };
  };
}

describeConsole('what was typed in the console', 'Typing pool', (stage) => {
  async function openDraft(): Promise<{ page: Page; agentId: string; buildId: string }> {
    const agentId = await makeAgent(stage.team, steps('finish The first'));
    const buildId = await makeDraft(stage.team, agentId);
    const page = await stage.browser.page();
    await signInByKey(
      page,
      stage.base,
      stage.team.key,
      `/console/agents/${agentId}?tab=revisions&revision=${buildId}`,
    );
    await page.getByRole('form', { name: 'Draft' }).waitFor();
    return { page, agentId, buildId };
  }

  const kept = async (agentId: string, buildId: string) => {
    const params = { agent_id: agentId, build_id: buildId };
    return (await stage.team.client.succeed<{ build: KeptBuild }>(getRevision, { params })).build;
  };

  it('in a draft is asked about before it is left, by a link, a tab, another revision or a reload', async () => {
    const { page, agentId, buildId } = await openDraft();
    const steps = page.getByLabel('Steps');
    await steps.fill('77');
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    for (const leave of [
      () => page.getByRole('link', { name: 'Runs', exact: true }).click(),
      () => page.getByRole('tab', { name: 'Schedules' }).click(),
      () => page.getByRole('button', { name: /^1\..*Live/ }).click(),
      () => page.getByRole('button', { name: 'Sign out' }).click(),
    ]) {
      await leave();
      await dialog.getByText('Your changes to revision 2').waitFor();
      await dialog.getByRole('button', { name: 'Stay' }).click();
      expect(await steps.inputValue()).toBe('77');
    }
    const asked = page.waitForEvent('dialog');
    const reloading = page.evaluate('location.reload()').catch(() => undefined);
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await reloading;
    expect(await steps.inputValue()).toBe('77');

    await page.getByRole('tab', { name: 'Schedules' }).click();
    await dialog.getByRole('button', { name: 'Save and leave' }).click();
    await page.getByText('It runs only when it is started').waitFor();
    expect((await kept(agentId, buildId)).config.data.options).toMatchObject({ max_steps: 77 });
    await page.getByRole('tab', { name: 'Revisions' }).click();
    await steps.fill('78');
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await dialog.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    expect((await kept(agentId, buildId)).config.data.options).toMatchObject({ max_steps: 77 });
    await page.context().close();
  });

  it('in a draft goes live with it', async () => {
    const { page, agentId, buildId } = await openDraft();
    await page.getByLabel('Model').fill('openai/gpt-later');
    await page.getByLabel('Tokens').fill('9000');
    await page.getByRole('button', { name: 'Promote' }).click();
    await page.getByText('They are saved first, and go live with it.').waitFor();
    await page.getByRole('button', { name: 'Save and promote' }).click();
    await page.getByText('Revision 2 is live.').waitFor();
    expect(await kept(agentId, buildId)).toMatchObject({
      status: 'live',
      config: { data: { models: { agent: { model: 'openai/gpt-later' } }, options: { max_tokens: 9000 } } },
    });
    await page.context().close();
  });

  it('in a draft that goes nowhere because the service refuses it is still there, and nothing is live', async () => {
    const { page, agentId, buildId } = await openDraft();
    await page.getByLabel('Model').fill('no-such/model');
    await page.getByRole('button', { name: 'Promote' }).click();
    await page.getByRole('button', { name: 'Save and promote' }).click();
    await page
      .getByRole('dialog')
      .getByText(/must be builtin\/scripted, or <provider>/)
      .first()
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByLabel('Model').inputValue()).toBe('no-such/model');
    expect((await kept(agentId, buildId)).status).toBe('draft');
    await page.context().close();
  });

  it('in a draft that somebody else has promoted is kept in a draft of its own', async () => {
    const { page, buildId } = await openDraft();
    await page.getByLabel('Steps').fill('66');
    await stage.team.client.succeed(promoteRevision, { params: { build_id: buildId } });
    await page.getByText('it went live while you were changing it').waitFor();
    await page.getByRole('button', { name: 'Save as a new draft' }).click();
    await page.getByRole('heading', { name: /Revision 3/ }).waitFor();
    expect(await page.getByLabel('Steps').inputValue()).toBe('66');
    await page.context().close();
  });
});
