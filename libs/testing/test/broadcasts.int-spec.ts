import { randomUUID } from 'node:crypto';
import { runProgress, type RunProgress } from '@aos/contracts';
import { Broadcasts, RedisConnections } from '@aos/messaging';
import { eventually, startEmbedded, type EmbeddedStores } from '../src/index.js';

/** What one process has: connections of its own, and everything it has heard. */
class Listener {
  readonly connections: RedisConnections;
  readonly broadcasts: Broadcasts;
  readonly heard: RunProgress[] = [];
  readonly errors: unknown[] = [];
  readonly stop: () => void;

  constructor(url: string, prefix: string, nearby?: Set<Broadcasts>) {
    this.connections = new RedisConnections({ url, prefix });
    this.broadcasts = new Broadcasts(this.connections, (error) => this.errors.push(error), nearby);
    this.stop = this.broadcasts.listen(runProgress, (news) => this.heard.push(news));
  }

  heardOf(runId: string): number[] {
    return this.heard.filter(({ run_id }) => run_id === runId).map(({ seq }) => seq);
  }
}

describe('broadcasts', () => {
  let stores: EmbeddedStores;
  let prefix: string;
  let one: Listener;
  let two: Listener;

  const news = (runId: string, seq: number): RunProgress => ({ run_id: runId, seq, status: 'running' });
  const channel = () => one.connections.key('broadcast', runProgress.name);

  beforeAll(async () => {
    stores = await startEmbedded();
  });

  afterAll(async () => {
    await stores?.stop();
  });

  beforeEach(async () => {
    prefix = `t${randomUUID()}`;
    one = new Listener(stores.redisUrl, prefix);
    two = new Listener(stores.redisUrl, prefix);
    await bothListen();
  });

  afterEach(() => {
    one.connections.close();
    two.connections.close();
  });

  /** News is given to those who listen at that moment; so it is said until everybody has heard it. */
  async function bothListen(): Promise<void> {
    await Promise.all([one.connections.ping(), two.connections.ping()]);
    const first = randomUUID();
    await eventually(() => {
      one.broadcasts.send(runProgress, [news(first, 1)]);
      expect(one.heardOf(first)).not.toEqual([]);
      expect(two.heardOf(first)).not.toEqual([]);
    });
  }

  it('reach every process, also the sender, in the order in which they were sent', async () => {
    const runId = randomUUID();
    const numbers = Array.from({ length: 10_000 }, (_, index) => index);
    for (let start = 0; start < 5_000; start += 500) {
      const items = numbers.slice(start, start + 500).map((seq) => news(runId, seq));
      one.broadcasts.send(runProgress, items);
    }
    one.broadcasts.send(
      runProgress,
      numbers.slice(5_000).map((seq) => news(runId, seq)),
    );
    await eventually(() => {
      expect(one.heardOf(runId)).toHaveLength(10_000);
      expect(two.heardOf(runId)).toHaveLength(10_000);
    });
    expect(one.heardOf(runId)).toEqual(numbers);
    expect(two.heardOf(runId)).toEqual(numbers);
  });

  it('stay within an installation', async () => {
    const stranger = new Listener(stores.redisUrl, `${prefix}-other`);
    try {
      const runId = randomUUID();
      await eventually(() => {
        stranger.broadcasts.send(runProgress, [news(runId, 1)]);
        expect(stranger.heardOf(runId)).not.toEqual([]);
      });
      await bothListen();
      expect([...one.heardOf(runId), ...two.heardOf(runId)]).toEqual([]);
    } finally {
      stranger.connections.close();
    }
  });

  it('reach several listeners of one process, and none that has stopped', async () => {
    const runId = randomUUID();
    const second: number[] = [];
    const stopSecond = one.broadcasts.listen(runProgress, ({ run_id, seq }) => {
      if (run_id === runId) second.push(seq);
    });
    one.broadcasts.send(runProgress, [news(runId, 1)]);
    await eventually(() => expect([one.heardOf(runId), second]).toEqual([[1], [1]]));
    stopSecond();
    two.broadcasts.send(runProgress, [news(runId, 2)]);
    await eventually(() => expect(one.heardOf(runId)).toEqual([1, 2]));
    expect(second).toEqual([1]);
  });

  it('go on after a garbled message and a listener that fails, and both are told', async () => {
    const runId = randomUUID();
    const failure = new Error('this listener fails');
    one.broadcasts.listen(runProgress, ({ run_id }) => {
      if (run_id === runId) throw failure;
    });
    const garbage = ['', '{', 'null', '[null]', '[{"run_id":"x"}]', '{"length":1}', '[[]]'];
    for (const text of garbage) await two.connections.shared.publish(channel(), text);
    two.broadcasts.send(runProgress, [news(runId, 1)]);
    await eventually(() => {
      expect(one.heardOf(runId)).toEqual([1]);
      expect(two.heardOf(runId)).toEqual([1]);
    });
    expect(two.errors).toHaveLength(garbage.length);
    expect(one.errors.filter((error) => error !== failure)).toHaveLength(garbage.length);
    await eventually(() => expect(one.errors).toContain(failure));
  });

  it('are heard once by each service of the sender’s process, at once', async () => {
    const nearby = new Set<Broadcasts>();
    const here = [1, 2].map(() => new Listener(stores.redisUrl, prefix, nearby));
    try {
      await Promise.all(here.map(({ connections }) => connections.ping()));
      const ready = randomUUID();
      await eventually(() => {
        two.broadcasts.send(runProgress, [news(ready, 1)]);
        for (const listener of here) expect(listener.heardOf(ready)).not.toEqual([]);
      });
      const runId = randomUUID();
      for (const seq of [1, 2, 3]) here[0]!.broadcasts.send(runProgress, [news(runId, seq)]);
      expect(here.map((listener) => listener.heardOf(runId))).toEqual([
        [1, 2, 3],
        [1, 2, 3],
      ]);
      // What comes after it over the same connection has come: Redis has brought it back by then.
      const last = randomUUID();
      await eventually(() => expect(two.heardOf(runId)).toEqual([1, 2, 3]));
      two.broadcasts.send(runProgress, [news(last, 1)]);
      await eventually(() => {
        for (const listener of here) expect(listener.heardOf(last)).toEqual([1]);
      });
      expect(here.map((listener) => listener.heardOf(runId))).toEqual([
        [1, 2, 3],
        [1, 2, 3],
      ]);
    } finally {
      for (const { connections } of here) connections.close();
    }
  });

  it('are not published while no other process listens; what came since is, once one does', async () => {
    const nearby = new Set<Broadcasts>();
    const alone = `${prefix}-alone`;
    const here = [1, 2].map(() => new Listener(stores.redisUrl, alone, nearby));
    let stranger: Listener | undefined;
    try {
      await Promise.all(here.map(({ connections }) => connections.ping()));
      const [sender] = here as [Listener, Listener];
      const published = import.meta.jest.spyOn(sender.connections.shared, 'publish');
      const asked = import.meta.jest.spyOn(sender.connections.shared, 'pubsub');
      const runId = randomUUID();
      sender.broadcasts.send(runProgress, [news(runId, 1)]);
      await expect(published.mock.results[0]!.value).resolves.toBeLessThanOrEqual(2);
      for (const seq of [2, 3, 4]) sender.broadcasts.send(runProgress, [news(runId, seq)]);
      // Heard at once by those of the process, whatever Redis is told and when.
      expect(here.map((listener) => listener.heardOf(runId))).toEqual([
        [1, 2, 3, 4],
        [1, 2, 3, 4],
      ]);
      await eventually(() => expect(asked).toHaveBeenCalledTimes(1));
      await expect(asked.mock.results[0]!.value).resolves.toEqual([expect.any(String), 2]);
      expect(published).toHaveBeenCalledTimes(1);

      stranger = new Listener(stores.redisUrl, alone);
      const first = randomUUID();
      let said = 0;
      await eventually(() => {
        sender.broadcasts.send(runProgress, [news(first, (said += 1))]);
        expect(stranger!.heardOf(first)).not.toEqual([]);
      });
      // In order, and none of those that were said since it listened is missing.
      const heard = stranger.heardOf(first);
      expect(heard).toEqual(heard.map((_, index) => heard[0]! + index));
      await expect(published.mock.results.at(-1)!.value).resolves.toBe(3);
      const before = published.mock.calls.length;
      for (const seq of [5, 6]) sender.broadcasts.send(runProgress, [news(runId, seq)]);
      expect(published).toHaveBeenCalledTimes(before + 2);
      await eventually(() => expect(stranger!.heardOf(runId)).toEqual([5, 6]));
      expect(here.map((listener) => listener.heardOf(runId))).toEqual([
        [1, 2, 3, 4, 5, 6],
        [1, 2, 3, 4, 5, 6],
      ]);
    } finally {
      for (const { connections } of [...here, ...(stranger ? [stranger] : [])]) connections.close();
    }
  });

  it('are published where Redis does not tell who listens', async () => {
    const sender = new Listener(stores.redisUrl, `${prefix}-untold`);
    let stranger: Listener | undefined;
    try {
      await sender.connections.ping();
      const published = import.meta.jest.spyOn(sender.connections.shared, 'publish');
      const refused = new Error("NOPERM this user has no permissions to run the 'pubsub|numsub' command");
      import.meta.jest.spyOn(sender.connections.shared, 'pubsub').mockRejectedValue(refused);
      sender.broadcasts.send(runProgress, [news(randomUUID(), 1)]);
      await expect(published.mock.results[0]!.value).resolves.toBeLessThanOrEqual(1);
      stranger = new Listener(stores.redisUrl, `${prefix}-untold`);
      await stranger.connections.ping();
      const runId = randomUUID();
      await eventually(() => {
        sender.broadcasts.send(runProgress, [news(runId, 1)]);
        expect(stranger!.heardOf(runId)).not.toEqual([]);
      });
    } finally {
      sender.connections.close();
      stranger?.connections.close();
    }
  });

  it('are lost to others without a word while Redis is away, and are heard again when it is back', async () => {
    const during = randomUUID();
    await stores.redis.kill();
    await eventually(() => expect(one.connections.shared.status).not.toBe('ready'));
    one.broadcasts.send(runProgress, [news(during, 1)]);
    await stores.redis.start();
    await bothListen();
    expect([one.heardOf(during), two.heardOf(during)]).toEqual([[1], []]);

    const after = randomUUID();
    two.broadcasts.send(runProgress, [news(after, 1), news(after, 2)]);
    await eventually(() =>
      expect([one.heardOf(after), two.heardOf(after)]).toEqual([
        [1, 2],
        [1, 2],
      ]),
    );
  });
});
