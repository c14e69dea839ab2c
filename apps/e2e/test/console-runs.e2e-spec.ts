import { getRun } from '@aos/contracts';
import { signInByKey } from '../src/console/console-browser.js';
import { describeConsole } from '../src/console/describe-console.js';
import { makeAgent, makeRun, steps } from '../src/sample-agents.js';

describeConsole('runs in the console', 'Shop', (stage) => {
  const signInLink = async (key: string) => {
    const answer = await fetch(`${stage.base}/console/sign-in-codes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
    });
    return `${stage.base}/console#code=${((await answer.json()) as { code: string }).code}`;
  };

  it('open by a link, once; the code leaves the address, and all tabs stay signed in', async () => {
    const link = await signInLink(stage.team.key);
    const page = await stage.browser.page();
    await page.goto(link);
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    expect(page.url()).not.toContain('code');
    await page.reload();
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    const tab = await page.context().newPage();
    await tab.goto(`${stage.base}/console/inbox`);
    await tab.getByRole('heading', { name: 'Inbox' }).waitFor();
    const other = await stage.browser.page();
    await other.goto(link);
    await other.getByText('This link was already used').waitFor();
    await Promise.all([page, other].map((one) => one.context().close()));
  });

  it('open by a key, and not by a wrong one', async () => {
    const page = await stage.browser.page();
    await page.goto(`${stage.base}/console/inbox`);
    await page.getByLabel('API key').fill('aos_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('unknown, expired or revoked').waitFor();
    await page.getByLabel('API key').fill(stage.team.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await page.context().close();
  });

  it('are started, watched, answered and seen to the end, through reloads', async () => {
    await makeAgent(
      stage.team,
      steps('say Working on {{message}}', 'ask Which color? | Red | Blue', 'finish Painted {{answer}}'),
    );
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, '/console/runs');
    await page.getByRole('button', { name: 'Start a run' }).first().click();
    await page.getByLabel('Message', { exact: true }).fill('the door');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Working on the door').waitFor();
    await page.getByText('It waits for the answer of somebody: Which color?').waitFor();
    await page.reload();
    await page.getByLabel('Blue').check();
    await page.reload();
    await page.getByLabel('Blue').check();
    await page.getByRole('button', { name: 'Send the answer' }).click();
    await page.getByText('Completed. Send a message to continue.').waitFor();
    await page.getByText('Painted Blue').first().waitFor();
    await page.getByText(/^0\.\d+ EUR$/).waitFor();
    await page.context().close();
  });

  it('are listed as they change, and the inbox has what they ask', async () => {
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, '/console/inbox');
    const agentId = await makeAgent(stage.team, steps('approve Refund Ada?', 'finish Refunded'));
    const runId = await makeRun(stage.team, agentId, { message: 'Order 77' });
    await page.getByRole('heading', { name: 'Refund Ada?' }).waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved by you').waitFor();
    await page.getByText('0 pending requests').waitFor();
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('row', { name: /Order 77.*Completed/ }).waitFor();
    expect(await stage.team.client.succeed(getRun, { params: { run_id: runId } })).toMatchObject({
      status: 'completed',
    });
    await page.context().close();
  });
});
