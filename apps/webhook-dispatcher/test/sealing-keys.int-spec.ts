import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getWebhookSecret, rotateWebhookSecret, runCompleted, testWebhook } from '@aos/contracts';
import { SealedValues } from '@aos/persistence';
import type { RunningService } from '@aos/service';
import { eventually, startReceiver, type WebhookReceiver } from '@aos/testing';
import { Retention } from '../src/retention/retention.js';
import {
  exampleOf,
  startDispatcher,
  startWebhooks,
  type DispatcherUnderTest,
} from './dispatcher-under-test.js';

const command = fileURLToPath(new URL('../../../tools/keys.mjs', import.meta.url));
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

  /** How many values each key has sealed, as `npm run keys` tells it. */
  async function keys(secretsKeys = `${first},${second},${other}`): Promise<string[]> {
    const { stdout } = await promisify(execFile)(process.execPath, [command, '--json'], {
      env: { PATH: process.env['PATH'], DATABASE_URL: webhooks.database.url, SECRETS_KEYS: secretsKeys },
    }).catch((error: { stdout: string }) => error);
    const rows = JSON.parse(stdout) as Record<string, string>[];
    return rows
      .filter(({ table }) => table === 'webhook_secret')
      .map(({ column, key_id, values, state }) => [column, key_id, values, state].join(' '));
  }

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
    const all = `${second},${first}`;
    expect(await keys(all)).toEqual(['previous_sealed first 1 old', 'sealed first 3 old']);
    expect(await keys(second)).toEqual(['previous_sealed first 1 MISSING', 'sealed first 3 MISSING']);
    await withKeys(all, async (service) => {
      const resealed = ['previous_sealed second 1 current', 'sealed second 3 current'];
      await eventually(async () => expect(await keys(all)).toEqual(resealed));
      // Once more has nothing to do.
      const stored = () => webhooks.database.query('SELECT * FROM webhook_dispatcher.webhook_secret');
      const before = await stored();
      await service.app.get(SealedValues).reseal();
      expect(await stored()).toEqual(before);
    });
    await withKeys(`${first},${second}`, async () => {
      const back = ['previous_sealed first 1 current', 'sealed first 3 current'];
      await eventually(async () => expect(await keys()).toEqual(back));
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
    await withKeys(`${other},${first}`, async () => {
      await eventually(async () =>
        expect(await keys(`${other},${first}`)).toEqual([
          'previous_sealed other 1 current',
          'sealed lost 1 MISSING',
          'sealed other 4 current',
        ]),
      );
    });
    // A new secret mends it.
    await team.succeed(rotateWebhookSecret, { body: {} });
    const [next] = (await webhooks.runs.record([exampleOf(runCompleted, team.teamId)])) as [string];
    await team.reach(id, next, 'delivered');
  });

  it('are not held by secrets that sign no more', async () => {
    const team = webhooks.anotherTeam();
    const calm = webhooks.anotherTeam();
    for (const { succeed } of [team, calm]) {
      await succeed(getWebhookSecret);
      await succeed(rotateWebhookSecret, { body: { overlap_seconds: 3600 } });
    }
    await webhooks.database.query(
      `UPDATE webhook_dispatcher.webhook_secret
          SET previous_sealed = replace(previous_sealed, '.first.', '.bygone.'), previous_expires_at = now()
        WHERE team_id = $1`,
      [team.teamId],
    );
    expect(await keys()).toContain('previous_sealed bygone 1 MISSING');
    await webhooks.running.app.get(Retention).prune();
    expect((await keys()).join()).not.toContain('bygone');
    const [kept] = await webhooks.database.query(
      'SELECT previous_sealed FROM webhook_dispatcher.webhook_secret WHERE team_id = $1',
      [calm.teamId],
    );
    expect(kept).toEqual({ previous_sealed: expect.stringMatching(/^v1\.first\./) });
  });
});
