import { createWebhook } from '@aos/contracts';
import type { RunningService } from '@aos/service';
import { startDispatcher, startWebhooks, type DispatcherUnderTest } from './dispatcher-under-test.js';

/** The plan `trial` allows 2 webhooks. */
const allowed = 2;
const atOnce = 50;

describe('the plan of a team', () => {
  let under: DispatcherUnderTest;
  let replica: RunningService;

  beforeAll(async () => {
    under = await startWebhooks();
    // Requests are shared by both, so that neither can go by what it knows alone.
    replica = await startDispatcher(under.environment);
  });

  afterAll(async () => {
    await replica?.close();
    await under?.stop();
  });

  it(`allows as many webhooks as it says, exactly, for ${atOnce} at once on two replicas`, async () => {
    const { teamId } = under;
    await under.database.query('INSERT INTO webhook_dispatcher.team_plan VALUES ($1, $2)', [teamId, 'trial']);
    const answers = await Promise.all(
      Array.from({ length: atOnce }, (_, n) =>
        under.call(createWebhook, {
          body: { url: `http://127.0.0.1/hook/${n}`, events: ['run.completed'] },
        }),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(atOnce - allowed);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.error}: ${body.message}`))).toEqual(
      new Set(['403 entitlement_exceeded: The plan of the team allows 2: webhooks.']),
    );
  });
});
