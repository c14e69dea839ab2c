import { eventually } from '@aos/testing';
import type { Page } from 'playwright-core';
import { hostWithoutTls, signInByKey } from '../../src/console/console-browser.js';
import { describeConsole } from '../../src/console/describe-console.js';
import { makeAgent, makeRun, steps } from '../../src/sample-agents.js';

describeConsole('the dialogs of the console', 'Front desk', (stage) => {
  const focused = (page: Page) => page.evaluate('document.activeElement.textContent');

  async function makeKey(page: Page, name: string): Promise<string> {
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Make it' }).click();
    const key = page.getByRole('dialog').locator('pre');
    await key.waitFor();
    return (await key.textContent())!;
  }

  it('give the focus back to what opened them', async () => {
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, '/console/keys');
    await page.getByRole('button', { name: 'New key' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('New key');
    await page.context().close();
  });

  it('read as text does, wherever their button lies', async () => {
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, '/console/keys');
    await page.getByRole('button', { name: 'Revoke' }).first().click();
    await page.getByRole('dialog').waitFor();
    const looks = await page.evaluate(`(() => {
      const { textAlign, whiteSpace } = getComputedStyle(document.querySelector('dialog[open]'));
      return [textAlign, whiteSpace];
    })()`);
    expect(looks).toEqual(['start', 'normal']);
    await page.context().close();
  });

  it('let a key be copied also where the page came without TLS', async () => {
    const page = await stage.browser.page();
    const { port } = new URL(stage.base);
    await signInByKey(page, `http://${hostWithoutTls}:${port}`, stage.team.key, '/console/keys');
    expect(await page.evaluate('navigator.clipboard === undefined')).toBe(true);
    const key = await makeKey(page, 'copied');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await focused(page)).toBe('Copied');
    await dialog.getByRole('button', { name: 'I have it' }).click();
    await page.getByRole('link', { name: 'Runs' }).click();
    const search = page.getByLabel('Search by title');
    await search.focus();
    await page.keyboard.press('ControlOrMeta+v');
    await eventually(async () => expect(await search.inputValue()).toBe(key));
    // A header that browsers heed with TLS only.
    expect(stage.browser.problems.splice(0).every((problem) => /Opener-Policy/.test(problem))).toBe(true);
    await page.context().close();
  });

  it('say so where the browser does not let it be copied', async () => {
    const page = await stage.browser.page();
    await page.addInitScript(`
      navigator.clipboard.writeText = async () => { throw new Error('not allowed'); };
      document.execCommand = () => false;
    `);
    await signInByKey(page, stage.base, stage.team.key, '/console/keys');
    const key = await makeKey(page, 'not copied');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await dialog.getByText('copy it by hand').waitFor();
    expect(await dialog.getByText(key, { exact: true }).count()).toBe(2);
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    await dialog.getByText('copy it by hand').waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('leave the way of signing in that a person chose, whatever the server says later', async () => {
    const page = await stage.browser.page();
    let goOn = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    await page.route('**/oauth/mcp/check', async (route) => {
      await held;
      await route.continue();
    });
    await signInByKey(page, stage.base, stage.team.key, '/console/connections');
    await page.getByRole('button', { name: 'Connect an MCP server' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill(stage.product.oauth!.mcpServerUrl);
    await dialog.getByLabel('A key, sent as a bearer').check();
    goOn();
    await dialog.getByText('It is protected by OAuth.').waitFor();
    expect(await dialog.getByLabel('A key, sent as a bearer').isChecked()).toBe(true);
    // Said of the address that was looked at, and of no other.
    await dialog.getByLabel('Address').fill('https://mcp.example.invalid/mcp');
    await dialog.getByText('It is protected by OAuth.').waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('and pages of one run keep nothing of another', async () => {
    const child = await makeAgent(stage.team, steps('finish Helped'));
    const parent = await makeAgent(
      stage.team,
      steps(`tool call_agent {"agent_id": "${child}", "message": "Help"}`, 'finish Done'),
    );
    const page = await stage.browser.page();
    const runId = await makeRun(stage.team, parent, { message: 'Lead' });
    await signInByKey(page, stage.base, stage.team.key, `/console/runs/${runId}`);
    await page.getByRole('list', { name: 'Timeline' }).getByRole('link', { name: /Help/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor();
    await page.getByLabel('Message to the run').fill('Half a mess');
    // What is known of the first one already is shown at once.
    await page.goBack();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { level: 1, name: 'Lead' }).waitFor();
    expect(await page.getByLabel('Message to the run').inputValue()).toBe('');
    await page.context().close();
  });
});
