import { randomBytes } from 'node:crypto';
import { getWebhookSecret, rotateWebhookSecret, runCompleted, testWebhook } from '@aos/contracts';
import type { RunningService } from '@aos/service-host';
import { eventually, startReceiver, type WebhookReceiver } from '@aos/testing';
import { Resealing } from '../src/secrets/resealing.js';
import {
  exampleOf,
  startDispatcher,
  startWebhooks,
  type DispatcherUnderTest,
} from './dispatcher-under-test.js';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

describe('keys that seal the secrets of webhooks', () => {
  const [first, second, other] = [key('first'), key('second'), key('other')];
  let webhooks: DispatcherUnderTest;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await startReceiver();
    webhooks = await startWebhooks({ SECRETS_KEYS: first, WEBHOOK_RETRY_SCHEDULE_MS: '0,50,50' });
  });

  afterAll(async () => {
    await webhooks?.stop();
    await receiver?.close();
  });

  const keysOf = (service: RunningService) => service.app.get(Resealing).countByKey();

  async function withKeys(keys: string, work: (service: RunningService) => Promise<void>): Promise<void> {
    const service = await startDispatcher({ ...webhooks.environment, SECRETS_KEYS: keys });
    try {
      await work(service);
    } finally {
      await service.close();
    }
  }

  it('are replaced by the present one at the next start, and can then be left out', async () => {
    const teams = [webhooks, webhooks.anotherTeam(), webhooks.anotherTeam()];
    const before = [];
    for (const team of teams) before.push((await team.succeed(getWebhookSecret)).secret);
    await teams[1]!.succeed(rotateWebhookSecret, { body: { overlap_seconds: 3600 } });
    before[1] = (await teams[1]!.succeed(getWebhookSecret)).secret;
    expect(await keysOf(webhooks.running)).toEqual([{ key_id: 'first', values: 4 }]);
    await withKeys(`${second},${first}`, async (service) => {
      await eventually(async () => expect(await keysOf(service)).toEqual([{ key_id: 'second', values: 4 }]));
      // Once more has nothing to do.
      expect(await service.app.get(Resealing).reseal()).toBe(0);
    });
    await withKeys(`${first},${second}`, async (service) => {
      expect(await service.app.get(Resealing).reseal()).toBeLessThanOrEqual(3);
      await eventually(async () => expect(await keysOf(service)).toEqual([{ key_id: 'first', values: 4 }]));
    });
    for (const [index, team] of teams.entries()) {
      expect((await team.succeed(getWebhookSecret)).secret).toBe(before[index]);
    }
  });

  it('that are missing make attempts that fail with a reason, until the delivery is dead', async () => {
    const team = webhooks.anotherTeam();
    await team.succeed(getWebhookSecret);
    const { id } = await team.subscribe(receiver.url('/unsigned'), runCompleted.name);
    const calm = webhooks.anotherTeam();
    const fine = await calm.subscribe(receiver.url('/signed'), runCompleted.name);
    // As if its key had been left out.
    await webhooks.database.query(
      `UPDATE webhook_dispatcher.webhook_secret SET sealed = replace(sealed, '.first.', '.lost.') WHERE team_id = $1`,
      [team.teamId],
    );
    const [eventId, calmId] = (await webhooks.runs.record([
      exampleOf(runCompleted, team.teamId),
      exampleOf(runCompleted, calm.teamId),
    ])) as [string, string];
    const dead = await team.reach(id, eventId, 'dead');
    expect(dead.attempts).toHaveLength(3);
    for (const attempt of dead.attempts) {
      expect(attempt).toMatchObject({
        status_code: null,
        error: expect.stringContaining('cannot be opened'),
      });
    }
    await calm.reach(fine.id, calmId, 'delivered');
    expect(receiver.received.filter(({ path }) => path === '/unsigned')).toEqual([]);
    const params = { subscriptionId: id };
    const tested = await team.succeed(testWebhook, { params });
    expect(tested).toMatchObject({ success: false, error: expect.stringContaining('cannot be opened') });
    expect(await team.call(getWebhookSecret)).toMatchObject({
      status: 409,
      body: { error: 'not_configured' },
    });
    // A row that cannot be opened does not keep others from being sealed again.
    await withKeys(`${other},${first}`, async (service) => {
      await eventually(async () =>
        expect(await keysOf(service)).toEqual([
          { key_id: 'lost', values: 1 },
          { key_id: 'other', values: 5 },
        ]),
      );
      await service.app.get(Resealing).reseal();
    });
    // A new secret mends it.
    await team.succeed(rotateWebhookSecret, { body: {} });
    const [next] = (await webhooks.runs.record([exampleOf(runCompleted, team.teamId)])) as [string];
    await team.reach(id, next, 'delivered');
  });
});
