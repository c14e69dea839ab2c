import { listAgentSchedules } from '@aos/contracts';
import { eventually } from '@aos/testing';
import { axeViolations, signInByKey } from '../../src/console/console-browser.js';
import { describeConsole } from '../../src/console/describe-console.js';
import { makeAgent, steps } from '../../src/sample-agents.js';

describeConsole('schedules in the console', 'Early birds', (stage) => {
  it('are made, changed, switched off and deleted; what is wrong is said at its field', async () => {
    const agentId = await makeAgent(stage.team, steps('finish Done'));
    const kept = async () => {
      const params = { agent_id: agentId };
      const { schedules } = await stage.team.client.succeed<{ schedules: unknown[] }>(listAgentSchedules, {
        params,
      });
      return schedules;
    };
    const page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, `/console/agents/${agentId}?tab=schedules`);
    await page.getByRole('button', { name: 'New schedule' }).click();
    const dialog = page.getByRole('dialog');
    const save = dialog.getByRole('button', { name: 'Save' });
    const zone = dialog.getByLabel('Time zone');
    const fault = (text: RegExp) => dialog.getByRole('alert').filter({ hasText: text });
    await dialog.getByLabel('How often').selectOption('custom');
    await dialog.getByLabel('Cron expression').fill('61 9 * * 1-5');
    await zone.fill('Mars/Olympus');
    await save.click();
    await fault(/Invalid time zone/).waitFor();
    expect(await zone.getAttribute('aria-invalid')).toBe('true');
    await zone.fill('America/New_York');
    await save.click();
    await fault(/minute/i).waitFor();
    expect(await zone.getAttribute('aria-invalid')).toBeNull();
    const cron = dialog.getByLabel('Cron expression');
    expect(await cron.getAttribute('aria-invalid')).toBe('true');
    expect(await axeViolations(page)).toEqual([]);
    // What is told of it is within the dialog: what is outside can be neither heard nor clicked while it is open.
    await dialog.getByRole('button', { name: 'Dismiss' }).first().click();
    expect(await kept()).toEqual([]);

    await cron.fill('30 9 * * 1-5');
    await dialog.getByLabel('Message').fill('Look through the mail.');
    await save.click();
    await page.getByText('The schedule is set.').waitFor();
    await page.getByRole('heading', { name: '30 9 * * 1-5' }).waitFor();
    await page
      .getByText(/9:30:00 AM.*America\/New_York/)
      .first()
      .waitFor();
    expect(await kept()).toMatchObject([
      { cron: '30 9 * * 1-5', timezone: 'America/New_York', message: 'Look through the mail.' },
    ]);

    await page.getByRole('button', { name: 'Change' }).click();
    expect(await cron.inputValue()).toBe('30 9 * * 1-5');
    expect(await zone.inputValue()).toBe('America/New_York');
    await dialog.getByLabel('How often').selectOption('monthly');
    await dialog.getByLabel('Day', { exact: true }).fill('31');
    await dialog.getByLabel('Time', { exact: true }).fill('06:15');
    await zone.fill('Europe/Berlin');
    await save.click();
    await page.getByRole('heading', { name: 'Monthly' }).waitFor();
    await page
      .getByText(/6:15:00 AM.*Europe\/Berlin/)
      .first()
      .waitFor();
    expect(await kept()).toMatchObject([
      { frequency: 'monthly', day_of_month: 31, time: '06:15', timezone: 'Europe/Berlin', cron: null },
    ]);

    // It is shown as off when the service has said so, and not by the click.
    await page.getByLabel('On', { exact: true }).click();
    await eventually(async () => expect(await kept()).toMatchObject([{ enabled: false }]));
    await page.getByText('It does not fire.').waitFor();
    await page.getByRole('tabpanel').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete it' }).click();
    await page.getByText('It runs only when it is started').waitFor();
    expect(await kept()).toEqual([]);
    await page.context().close();
  });
});
