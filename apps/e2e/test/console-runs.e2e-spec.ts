import { getRun } from '@aos/contracts';
import { describeWhere } from '@aos/testing';
import { chromiumNeeded, ConsoleBrowser, signInByKey } from '../src/console/console-browser.js';
import { makeAgent, makeRun, steps } from '../src/sample-agents.js';
import { connectToProduct, type ConnectedProduct } from '../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../src/team.js';

describeWhere(chromiumNeeded, 'runs in the console', () => {
  let product: ConnectedProduct;
  let browser: ConsoleBrowser;
  let team: Team;
  let base: string;

  beforeAll(async () => {
    product = await connectToProduct();
    base = product.urls[0]!;
    browser = await ConsoleBrowser.start();
    team = await newTeam(await connectAdmin(product), 'Shop');
  });

  afterEach(() => {
    expect(browser.problems.splice(0)).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    await product?.disconnect();
  });

  const signInLink = async (key: string) => {
    const answer = await fetch(`${base}/console/sign-in-codes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
    });
    return `${base}/console#code=${((await answer.json()) as { code: string }).code}`;
  };

  it('open by a link, once; the code leaves the address, and the tab stays signed in', async () => {
    const link = await signInLink(team.key);
    const page = await browser.page();
    await page.goto(link);
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    expect(page.url()).not.toContain('code');
    await page.reload();
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    const other = await browser.page();
    await other.goto(link);
    await other.getByText('This link was used already').waitFor();
    await Promise.all([page, other].map((one) => one.context().close()));
  });

  it('open by a key, and not by a wrong one', async () => {
    const page = await browser.page();
    await page.goto(`${base}/console/inbox`);
    await page.getByLabel('API key').fill('aos_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('unknown, expired or revoked').waitFor();
    await page.getByLabel('API key').fill(team.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await page.context().close();
  });

  it('are started, watched, answered and seen to the end, through reloads', async () => {
    await makeAgent(
      team,
      steps('say Working on {{message}}', 'ask Which color? | Red | Blue', 'finish Painted {{answer}}'),
    );
    const page = await browser.page();
    await signInByKey(page, base, team.key, '/console/runs');
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
    await page.getByText('It is done.').waitFor();
    await page.getByText('Painted Blue').first().waitFor();
    await page.getByText(/^0\.\d+ EUR$/).waitFor();
    await page.context().close();
  });

  it('are listed as they change, and the inbox has what they ask', async () => {
    const page = await browser.page();
    await signInByKey(page, base, team.key, '/console/inbox');
    const agentId = await makeAgent(team, steps('approve Refund Ada?', 'finish Refunded'));
    const runId = await makeRun(team, agentId, { message: 'Order 77' });
    await page.getByRole('heading', { name: 'Refund Ada?' }).waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Nobody waits for you').waitFor();
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('row', { name: /Order 77.*Completed/ }).waitFor();
    expect(await team.client.succeed(getRun, { params: { run_id: runId } })).toMatchObject({
      status: 'completed',
    });
    await page.context().close();
  });
});
