import { deleteApiKey } from '@aos/contracts';
import type { Page } from 'playwright-core';
import { signInByKey } from '../../src/console/console-browser.js';
import { describeConsole } from '../../src/console/describe-console.js';
import { makeAgent, makeRun, steps } from '../../src/sample-agents.js';
import { connectAdmin, newKey, newTeam } from '../../src/team.js';

describeConsole('signing in to the console', 'Reception', (stage) => {
  const tabOf = async (page: Page, path: string) => {
    const tab = await page.context().newPage();
    await tab.goto(stage.base + path);
    return tab;
  };

  it('is for all tabs, keeps the key nowhere, and ends in all of them', async () => {
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, '/console/runs');
    const tab = await tabOf(page, '/console/inbox');
    await tab.getByRole('heading', { name: 'Inbox' }).waitFor();
    const readable = `JSON.stringify([document.cookie, {...localStorage}, {...sessionStorage}])`;
    expect(await page.evaluate(readable)).not.toMatch(/aos_(?!theme)\w/);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });

    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab.getByLabel('API key').waitFor();
    await page.getByText('You were signed out.').waitFor();
    await page.reload();
    await page.getByLabel('API key').waitFor();
    await page.context().close();
  });

  it('as another team in one tab takes all of them there', async () => {
    const other = await newTeam(await connectAdmin(stage.product), 'Next door');
    await makeRun(other, await makeAgent(other, steps('finish Done')), { message: 'Of the others' });
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, '/console/runs');
    const tab = await tabOf(page, '/console/runs');
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await signInByKey(tab, stage.base, other.key, '/console/runs');
    await page.getByRole('row', { name: /Of the others/ }).waitFor();
    await page.getByText('Next door').waitFor();
    await page.context().close();
  });

  it('again, where the key was revoked, says so and gives back what was typed', async () => {
    const runId = await makeRun(stage.team, await makeAgent(stage.team, steps('finish Done')));
    const { id: keyId, key } = await newKey(stage.team, { name: 'short' });
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, key, `/console/runs/${runId}`);
    await page.getByLabel('Message to the run').fill('Half a message');
    await stage.team.client.succeed(deleteApiKey, { params: { teamId: stage.team.id, keyId } });
    await page.getByText('The API key that you signed in with was revoked.').waitFor({ timeout: 60_000 });
    await page.getByLabel('API key').fill(stage.team.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('API key').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Message to the run').inputValue()).toBe('Half a message');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Half a message').first().waitFor();
    await page.context().close();
  });

  it('with a key that may little shows what it may', async () => {
    const runId = await makeRun(
      stage.team,
      await makeAgent(stage.team, steps('approve Go on?', 'finish Done')),
    );
    const { key } = await newKey(stage.team, { name: 'reader', scopes: ['runs:read'] });
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, key, '/console');
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    const links = page.getByRole('navigation').getByRole('listitem').getByRole('link');
    expect((await links.allTextContents()).map((text) => text.replace(/\d/g, ''))).toEqual(['Runs', 'Inbox']);
    expect(await page.getByRole('button', { name: 'Start a run' }).count()).toBe(0);
    await page.goto(`${stage.base}/console/runs/${runId}`);
    await page.getByText('It waits for the approval').waitFor();
    await page.getByText('Your key does not allow you to answer').waitFor();
    for (const name of ['Stop', 'Approve', 'Deny…', 'Send']) {
      expect([name, await page.getByRole('button', { name, exact: true }).count()]).toEqual([name, 0]);
    }
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.goto(`${stage.base}/console/usage`);
    await page.getByText('Your key does not allow this page').waitFor();
    await page.context().close();
  });
});
