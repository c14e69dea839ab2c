import { listWebhookDeliveries, replayWebhooks, runCompleted } from '@aos/contracts';
import { eventually, startReceiver, type WebhookReceiver } from '@aos/testing';
import { exampleOf, startWebhooks, type DispatcherUnderTest } from './dispatcher-under-test.js';

describe('replays of several teams', () => {
  let webhooks: DispatcherUnderTest;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await startReceiver();
    webhooks = await startWebhooks();
  });

  afterAll(async () => {
    await webhooks?.stop();
    await receiver?.close();
  });

  it('go on although the one before them fails, which is tried again', async () => {
    const calm = webhooks.anotherTeam();
    const since = new Date(Date.now() - 60_000).toISOString();
    const hooks = [];
    for (const team of [webhooks, calm]) {
      hooks.push(await team.subscribe(receiver.url(`/${team.teamId}`), runCompleted.name));
      await webhooks.runs.record([exampleOf(runCompleted, team.teamId)]);
    }
    const times = (team: { teamId: string }) =>
      receiver.received.filter(({ path }) => path === `/${team.teamId}`).length;
    for (const [index, team] of [webhooks, calm].entries()) {
      const params = { subscriptionId: hooks[index]!.id };
      await eventually(async () => {
        const page = await team.succeed(listWebhookDeliveries, { params, query: { status: 'delivered' } });
        expect(page.total).toBe(1);
      });
    }
    await webhooks.database.query(`
      CREATE FUNCTION webhook_dispatcher.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.team_id = '${webhooks.teamId}' THEN RAISE 'planted'; END IF; RETURN NEW; END $$`);
    await webhooks.database.query(`
      CREATE TRIGGER refuse BEFORE UPDATE ON webhook_dispatcher.delivery
         FOR EACH ROW EXECUTE FUNCTION webhook_dispatcher.refuse()`);
    for (const [index, team] of [webhooks, calm].entries()) {
      await team.succeed(replayWebhooks, { params: { subscriptionId: hooks[index]!.id }, body: { since } });
    }
    await eventually(() => expect(times(calm)).toBe(2));
    expect(times(webhooks)).toBe(1);
    await webhooks.database.query('DROP FUNCTION webhook_dispatcher.refuse CASCADE');
    await eventually(() => expect(times(webhooks)).toBe(2));
  });
});
