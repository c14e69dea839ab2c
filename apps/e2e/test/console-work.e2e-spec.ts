import { createQueue, createCaseTrigger, listConnections } from '@aos/contracts';
import { consentInBrowser, describeWhere } from '@aos/testing';
import { chromiumNeeded, ConsoleBrowser, signInByKey } from '../src/console/console-browser.js';
import { clearPrompt, makeAgent, steps } from '../src/sample-agents.js';
import { connectToProduct, type ConnectedProduct } from '../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../src/team.js';

describeWhere(chromiumNeeded, 'work in the console', () => {
  let product: ConnectedProduct;
  let browser: ConsoleBrowser;
  let team: Team;
  let base: string;

  beforeAll(async () => {
    product = await connectToProduct();
    base = product.urls[0]!;
    browser = await ConsoleBrowser.start();
    team = await newTeam(await connectAdmin(product), 'Workshop');
  });

  afterEach(() => {
    expect(browser.problems.splice(0)).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    await product?.disconnect();
  });

  it('builds a revision, shows what it changes, and makes it live', async () => {
    const agentId = await makeAgent(team, steps('finish The first'));
    const page = await browser.page();
    await signInByKey(page, base, team.key, `/console/agents/${agentId}`);
    await page.getByLabel('What the agent is to do').fill(clearPrompt);
    await page.getByRole('button', { name: 'Write a procedure' }).click();
    await page.getByLabel('Changes that the builder proposes').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('heading', { name: /Revision 2/ }).waitFor();
    await page.getByLabel('Changes against the live revision').getByText('inbox is empty').first().waitFor();
    await page.getByRole('button', { name: 'Promote' }).first().click();
    await page.getByLabel('Name').fill('Morning mail');
    await page.getByRole('dialog').getByRole('button', { name: 'Promote' }).click();
    await page.getByText('Revision 2 is live.').waitFor();
    await page.getByRole('button', { name: /2\. Morning mail.*Live/ }).waitFor();
    await page.context().close();
  });

  it('imports cases after a look at them, and follows an agent through the queue', async () => {
    const queue = await team.client.succeed<{ queue_id: string }>(createQueue, {
      params: { teamId: team.id },
      body: { name: 'Returns' },
    });
    const agentId = await makeAgent(team, steps('say On it', 'tool complete_case {}', 'finish Settled'));
    const page = await browser.page();
    await signInByKey(page, base, team.key, '/console/queues');
    await page.getByText('No agent works on these cases').waitFor();
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const csv =
      'title,priority,label:shop,order\nLamp broken,high,Berlin,4711\n"Chair, too small",none,Hamburg,4712\n';
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'cases.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByRole('cell', { name: 'Chair, too small' }).waitFor();
    await page.getByRole('button', { name: /^Import \d/ }).click();
    await page.getByText('2 cases imported').waitFor();
    await page.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('row', { name: /Lamp broken.*Pending.*High.*shop: Berlin/ }).waitFor();
    await team.client.succeed(createCaseTrigger, {
      params: { agent_id: agentId },
      body: { case_queue_id: queue.queue_id },
    });
    await page.getByRole('row', { name: /Lamp broken.*Completed/ }).waitFor();
    await page.getByRole('row', { name: /Chair.*Completed/ }).waitFor();
    await page.getByRole('button', { name: 'Lamp broken' }).click();
    await page.getByRole('dialog').getByText('Claimed').first().waitFor();
    await page.getByRole('dialog').getByText('On it', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('dialog').getByText('On it', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByLabel('Choose all that are shown').check();
    await page.getByRole('region', { name: 'Chosen cases' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete them' }).click();
    await page.getByText('The queue is empty').waitFor();
    await page.context().close();
  });

  it('connects a protected MCP server', async () => {
    const { issuer, mcpServerUrl } = product.oauth!;
    const page = await browser.page();
    await signInByKey(page, base, team.key, '/console/connections');
    await page.getByRole('button', { name: 'Connect an MCP server' }).first().click();
    await page.getByLabel('Name').fill('Warehouse');
    await page.getByLabel('Address').fill(mcpServerUrl);
    await page.getByLabel('Address').blur();
    await page.getByText('It is protected by OAuth.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Connect' }).click();
    const link = page.getByRole('link', { name: /^Continue at/ });
    const back = await consentInBrowser((await link.getAttribute('href'))!, new URL(issuer).origin);
    expect((await fetch(back)).ok).toBe(true);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('row', { name: /Warehouse.*Active.*OAuth/ }).waitFor();
    expect(await team.client.succeed(listConnections, { params: { teamId: team.id } })).toMatchObject({
      connections: [{ name: 'Warehouse', status: 'active' }],
    });
    await page.context().close();
  });
});
