import { runCompleted } from '@aos/contracts';
import { eventually } from '@aos/testing';
import { expectCountsRight } from '../delivery-counts.js';
import { DispatcherProcesses, storedDelivery } from '../dispatcher-processes.js';

describe('a dispatcher that is away for longer than its lease', () => {
  let dispatchers: DispatcherProcesses;

  beforeAll(async () => {
    // Exceeds any scheduling delay of a busy machine, so that a live dispatcher keeps its leases.
    dispatchers = await DispatcherProcesses.prepare({ WEBHOOK_LEASE_MS: '3000' });
  });

  afterAll(() => dispatchers?.stop());

  it('writes nothing when it wakes', async () => {
    const { team, receiver, database } = dispatchers;
    const frozen = await dispatchers.start();
    const { id: subscriptionId } = await team.subscribe(receiver.url(), runCompleted.name);
    // The answer comes while it is frozen, and is there when it wakes.
    let isFrozen!: () => void;
    const until = new Promise<void>((resolve) => (isFrozen = resolve));
    receiver.behave(() => ({ status: 200, until }));
    const id = await dispatchers.record();
    await eventually(() => expect(dispatchers.timesSeen(id)).toBe(1));
    frozen.signal('SIGSTOP');
    isFrozen();
    // To the other the receiver says no: the delivery still waits when the first one wakes.
    receiver.behave(() => ({ status: 503 }));
    const other = await dispatchers.start();
    const atItsEnd = await eventually(async () => {
      const rows = await storedDelivery(database, id);
      expect(rows).toMatchObject([{ delivery: { status: 'pending', attempts: 1 } }]);
      return rows;
    });

    await dispatchers.end(other);
    receiver.behave(() => ({ status: 200 }));
    frozen.signal('SIGCONT');
    // The one that woke is alone now: what it does proves that it has found its feet.
    await team.reach(subscriptionId, await dispatchers.record(), 'delivered');
    expect(await storedDelivery(database, id)).toEqual(atItsEnd);
    expect(dispatchers.timesSeen(id)).toBe(2);
    await expectCountsRight(database, team);
  });
});
