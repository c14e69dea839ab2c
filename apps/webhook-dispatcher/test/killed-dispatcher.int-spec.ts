import { runCompleted } from '@aos/contracts';
import { eventually } from '@aos/testing';
import { expectCountsRight } from './delivery-counts.js';
import { DispatcherProcesses } from './dispatcher-processes.js';

describe('a dispatcher that is killed', () => {
  let dispatchers: DispatcherProcesses;

  beforeAll(async () => {
    dispatchers = await DispatcherProcesses.prepare({ WEBHOOK_LEASE_MS: '1000' });
  });

  afterAll(() => dispatchers?.stop());

  it('is replaced: the request under way is sent again, and one attempt is stored', async () => {
    const { team, receiver, database } = dispatchers;
    const killed = await dispatchers.start();
    const { id: subscriptionId } = await team.subscribe(receiver.url(), runCompleted.name);
    receiver.behave((_delivery, times) => (times === 1 ? 'hang' : { status: 200 }));
    const id = await dispatchers.record();
    await eventually(() => expect(dispatchers.timesSeen(id)).toBe(1));
    await dispatchers.kill(killed);
    await dispatchers.start();
    const { attempts } = await team.reach(subscriptionId, id, 'delivered');
    // The outcome of the first request is unknown, so it is not listed.
    expect(attempts).toEqual([expect.objectContaining({ number: 1, status_code: 200 })]);
    expect(dispatchers.timesSeen(id)).toBe(2);
    await expectCountsRight(database, team);
  });
});
