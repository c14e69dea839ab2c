import type { BusEvent } from '@aos/contracts';
import type { SeededRandom } from '@aos/testing';
import { Redis } from 'ioredis';

const atOnce = 200;

/**
 * Stands for a bus that delivers everything twice and in no order: each entry of a log's stream is taken out, if no
 * consumer was faster, and what was in it put back, event by event, twice and shuffled. It never ends by itself.
 */
export class RepeatedEvents {
  /** How many events were put back. */
  repeated = 0;
  private readonly own = new Set<string>();
  private last = '-';
  private isStopped = false;
  private readonly work: Promise<void>;

  constructor(
    private readonly redis: Redis,
    private readonly stream: string,
    private readonly random: SeededRandom,
  ) {
    this.work = this.repeat();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.work;
    this.redis.disconnect();
  }

  private async repeat(): Promise<void> {
    while (!this.isStopped) {
      const entries = await this.redis.xrange(this.stream, this.last, '+', 'COUNT', atOnce);
      const foreign = entries.filter(([id]) => !this.own.has(id));
      if (entries.length > 0) this.last = `(${entries.at(-1)![0]}`;
      const events = foreign.flatMap(([, fields]) => JSON.parse(fields[1]!) as BusEvent[]);
      if (foreign.length > 0) await this.redis.xdel(this.stream, ...foreign.map(([id]) => id));
      for (const event of this.shuffled([...events, ...events])) {
        const id = await this.redis.xadd(this.stream, '*', 'e', JSON.stringify([event]));
        this.own.add(id!);
        this.repeated += 1;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  private shuffled<T>(values: readonly T[]): T[] {
    const keyed = values.map((value) => ({ value, key: this.random.fraction() }));
    return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
  }
}
