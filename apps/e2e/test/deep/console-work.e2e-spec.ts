import {
  createCases,
  createCaseTrigger,
  createConnection,
  createQueue,
  deleteConnection,
  getRevision,
  listConnections,
  updateAgent,
} from '@aos/contracts';
import { consentInBrowser } from '@aos/testing';
import { axeViolations, signInByKey } from '../../src/console/console-browser.js';
import { describeConsole } from '../../src/console/describe-console.js';
import { connectAdmin, newTeam } from '../../src/team.js';
import { clearPrompt, makeAgent, makeDraft, steps } from '../../src/sample-agents.js';

interface DraftBuild {
  readonly config: {
    readonly data: {
      readonly input: string;
      readonly plugins?: readonly string[];
      readonly connections: readonly string[];
      readonly sub_agents: readonly string[];
    };
  };
}

describeConsole('work in the console', 'Workshop', (stage) => {
  it('builds a revision, shows what it changes, and makes it live', async () => {
    const agentId = await makeAgent(stage.team, steps('finish The first'));
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, `/console/agents/${agentId}`);
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

  it('edits what a draft may use, and shows nothing as saved before it is', async () => {
    const helperId = await makeAgent(stage.team, steps('finish Helped'));
    await stage.team.client.succeed(updateAgent, {
      params: { agent_id: helperId },
      body: { name: 'Helper' },
    });
    const { connection_id: goneId } = await connect('Old shelf');
    await connect('Stock');
    const agentId = await makeAgent(stage.team, steps('finish The first'), { connections: [goneId] });
    const buildId = await makeDraft(stage.team, agentId);
    await stage.team.client.succeed(deleteConnection, { params: { connection_id: goneId } });
    const dataOf = async () => {
      const params = { agent_id: agentId, build_id: buildId };
      const { build } = await stage.team.client.succeed<{ build: DraftBuild }>(getRevision, { params });
      return build.config.data;
    };
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, `/console/agents/${agentId}`);
    await page.getByRole('button', { name: /^2\..*Draft/ }).click();
    const draft = page.getByRole('form', { name: 'Draft' });
    const save = draft.getByRole('button', { name: 'Save the draft' });
    await draft.getByLabel('Model').fill('no-such/model');
    expect(await save.isEnabled()).toBe(true);
    await save.click();
    // What the service says is beside its field, and read with it.
    await draft
      .getByRole('alert')
      .getByText(/config\.data\.models\.agent\.model/)
      .waitFor();
    expect(await draft.getByLabel('Model').getAttribute('aria-invalid')).toBe('true');
    await draft.getByText('Not saved yet.').waitFor();
    expect(await axeViolations(page)).toEqual([]);

    await draft.getByLabel('Model').fill('builtin/scripted');
    await draft.getByRole('checkbox', { name: /^All tools/ }).uncheck();
    const tools = draft.getByRole('group', { name: 'Tools' });
    expect(await tools.getByRole('checkbox', { name: /always there/ }).count()).toBe(2);
    await tools.getByRole('checkbox', { name: /^HTTP/ }).uncheck();
    const connections = draft.getByRole('group', { name: 'Connections' });
    await connections.getByRole('checkbox', { name: /not there any more/ }).click();
    await connections.getByRole('checkbox', { name: /^Stock/ }).check();
    const others = draft.getByRole('group', { name: 'Agents that it may call' });
    await others.getByText('it may call any agent of the team').waitFor();
    await others.getByRole('checkbox', { name: /^Helper/ }).check();
    await others.getByText('Only these.').waitFor();
    expect((await dataOf()).sub_agents).toEqual([]);

    let goOn = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    await page.route(`**/revisions/${buildId}`, async (route) => {
      if (route.request().method() === 'PATCH') await held;
      await route.continue();
    });
    await save.click();
    await draft.getByRole('button', { name: 'Saving…' }).waitFor();
    expect(await page.getByText('The draft is saved.').count()).toBe(0);
    goOn();
    await page.getByText('The draft is saved.').waitFor();
    await draft.getByText('Not saved yet.').waitFor({ state: 'detached' });
    const saved = await dataOf();
    expect(saved).toMatchObject({
      connections: [expect.not.stringContaining(goneId)],
      sub_agents: [helperId],
    });
    expect(saved.plugins).toContain('files');
    expect(saved.plugins).not.toContain('http');

    await page.reload();
    await page.getByRole('button', { name: /^2\..*Draft/ }).click();
    expect(await others.getByRole('checkbox', { name: /^Helper/ }).isChecked()).toBe(true);
    expect(await connections.getByRole('checkbox').count()).toBe(1);
    expect(await tools.getByRole('checkbox', { name: /^HTTP/ }).isChecked()).toBe(false);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate(tooWide)).toEqual([]);
    expect(await axeViolations(page)).toEqual([]);
    await draft.getByRole('checkbox', { name: /^All tools/ }).check();
    await save.click();
    await page.getByText('The draft is saved.').waitFor();
    expect(await dataOf()).not.toHaveProperty('plugins');
    await page.context().close();
  });

  /** What the builder writes into a draft is what a later change is made to, and not what was there before. */
  it('takes what another has written into the draft', async () => {
    const agentId = await makeAgent(stage.team, steps('finish The first'));
    const buildId = await makeDraft(stage.team, agentId);
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, `/console/agents/${agentId}`);
    await page.getByRole('button', { name: /^2\..*Draft/ }).click();
    const draft = page.getByRole('form', { name: 'Draft' });
    await draft.getByText('finish The first').waitFor();
    await page.getByLabel('What the agent is to do').fill(clearPrompt);
    await page.getByRole('button', { name: 'Write a procedure' }).click();
    await page.getByRole('button', { name: 'Accept' }).click();
    await draft.getByText('inbox is empty').first().waitFor();
    expect(await draft.getByText('Not saved yet.').count()).toBe(0);
    await draft.getByRole('checkbox', { name: /^All tools/ }).uncheck();
    await draft.getByRole('button', { name: 'Save the draft' }).click();
    await page.getByText('The draft is saved.').waitFor();
    const { build } = await stage.team.client.succeed<{ build: DraftBuild }>(getRevision, {
      params: { agent_id: agentId, build_id: buildId },
    });
    expect(build.config.data.input).toContain('inbox is empty');
    await page.context().close();
  });

  async function connect(name: string): Promise<{ connection_id: string }> {
    return stage.team.client.succeed(createConnection, {
      params: { teamId: stage.team.id },
      body: { name, server_url: stage.product.oauth!.mcpServerUrl, auth_method: 'apikey', api_key: 'any' },
    });
  }

  it('imports cases after a look at them, and follows an agent through the queue', async () => {
    const queue = await stage.team.client.succeed<{ queue_id: string }>(createQueue, {
      params: { teamId: stage.team.id },
      body: { name: 'Returns' },
    });
    const agentId = await makeAgent(
      stage.team,
      steps('say On it', 'tool complete_case {}', 'finish Settled'),
    );
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, '/console/queues');
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
    await stage.team.client.succeed(createCaseTrigger, {
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

  it('changes all cases that match only while these are chosen', async () => {
    const { queue_id } = await stage.team.client.succeed<{ queue_id: string }>(createQueue, {
      params: { teamId: stage.team.id },
      body: { name: 'Complaints' },
    });
    const cases = ['First', 'Second', 'Third'].map((title) => ({ title }));
    await stage.team.client.succeed(createCases, { params: { queue_id }, body: { cases } });
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, `/console/queues?queue=${queue_id}`);
    const bar = page.getByRole('region', { name: 'Chosen cases' });
    const makeIt = async (priority: string) => {
      await bar.getByRole('button', { name: 'Priority' }).click();
      await page.getByRole('menuitem', { name: priority }).click();
    };
    await page.getByLabel('Choose First').check();
    await bar.getByLabel('all 3 that match').check();
    await makeIt('high');
    await page.getByText('3 cases changed.').waitFor();
    await page.getByLabel('Choose Second').check();
    expect(await bar.getByLabel('all 3 that match').isChecked()).toBe(false);
    await makeIt('medium');
    await page.getByText('1 case changed.').waitFor();
    await page.getByRole('row', { name: /Second.*Medium/ }).waitFor();
    expect(await page.getByRole('row', { name: /First.*High|Third.*High/ }).count()).toBe(2);

    await page.getByLabel('Choose First').check();
    await bar.getByLabel('all 3 that match').check();
    await page.getByLabel('Search the cases').fill('ir');
    await bar.getByText('1 case', { exact: true }).waitFor();
    expect(await bar.getByLabel('all 2 that match').isChecked()).toBe(false);
    await page.context().close();
  });

  it('connects a protected MCP server', async () => {
    const { issuer, mcpServerUrl } = stage.product.oauth!;
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, '/console/connections');
    await page.getByRole('button', { name: 'Connect an MCP server' }).first().click();
    await page.getByLabel('Name').fill('Warehouse');
    await page.getByLabel('Address').fill(mcpServerUrl);
    await page.getByLabel('Address').blur();
    await page.getByText('It is protected by OAuth.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Connect' }).click();
    const link = page.getByRole('link', { name: /^Continue at/ });
    const back = await consentInBrowser((await link.getAttribute('href'))!, new URL(issuer).origin);
    // With a second team the person is asked for which one it is.
    await newTeam(await connectAdmin(stage.product));
    const consent = await stage.browser.page();
    await consent.goto(back.href);
    await consent.getByRole('button', { name: 'Connect' }).click();
    await consent.getByText('Warehouse is connected.').waitFor();
    await consent.context().close();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('row', { name: /Warehouse.*Not checked.*OAuth/ }).waitFor();
    expect(
      await stage.team.client.succeed(listConnections, { params: { teamId: stage.team.id } }),
    ).toMatchObject({
      connections: expect.arrayContaining([
        expect.objectContaining({ name: 'Warehouse', status: 'active' }),
      ]) as unknown,
    });
    await page.context().close();
  });
});

/** A program of the page: what is wider than the window, and not in a box of its own that is scrolled. */
const tooWide = `(() => {
  if (document.documentElement.scrollWidth <= innerWidth) return [];
  const scrolls = (one) => one && (/auto|scroll|hidden/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
  return [...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !scrolls(one.parentElement))
    .map((one) => one.outerHTML.slice(0, 120));
})()`;
