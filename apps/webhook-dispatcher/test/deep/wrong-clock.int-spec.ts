import { runCompleted } from '@aos/contracts';
import { eventually, shiftedClock } from '@aos/testing';
import { DispatcherProcesses } from '../dispatcher-processes.js';

const hourMs = 3_600_000;
const longWaitMs = 600_000;

describe('a dispatcher whose wall clock is wrong', () => {
  let dispatchers: DispatcherProcesses;
  let subscriptionId: string | undefined;

  beforeAll(async () => {
    dispatchers = await DispatcherProcesses.prepare({
      WEBHOOK_RETRY_SCHEDULE_MS: `0,200,${longWaitMs}`,
      RPC_TIMEOUT_MS: '10000',
    });
  });

  afterAll(() => dispatchers?.stop());

  it.each([
    ['ahead', hourMs],
    ['behind', -hourMs],
    ['a week behind', -168 * hourMs],
  ])('attempts as the schedule says where it is %s', async (_, aheadMs) => {
    const { team, receiver, database } = dispatchers;
    const dispatcher = await dispatchers.start(shiftedClock(aheadMs));
    try {
      receiver.behave(() => ({ status: 500 }));
      subscriptionId ??= (await team.subscribe(receiver.url(), runCompleted.name)).id;
      const id = await dispatchers.record();
      await eventually(() => expect(dispatchers.timesSeen(id)).toBe(2));
      const [first, second] = receiver.received.filter((one) => one.id === id);
      // Each wait is a tenth shorter at most.
      expect(second!.receivedAt.getTime() - first!.receivedAt.getTime()).toBeGreaterThanOrEqual(180);
      const waitMs = await eventually(async () => {
        const [row] = await database.query<{ wait: number; status: string }>(
          `SELECT status, extract(epoch FROM next_attempt_at - now())::float8 * 1000 AS wait
             FROM webhook_dispatcher.delivery WHERE event_id = $1 AND attempts = 2`,
          [id],
        );
        expect(row).toMatchObject({ status: 'pending' });
        return row!.wait;
      });
      expect(waitMs).toBeGreaterThan(0.8 * longWaitMs);
      expect(waitMs).toBeLessThanOrEqual(1.1 * longWaitMs);

      receiver.behave(() => ({ status: 200 }));
      await team.reach(subscriptionId, await dispatchers.record(), 'delivered');
    } finally {
      await dispatchers.end(dispatcher);
    }
  });
});
