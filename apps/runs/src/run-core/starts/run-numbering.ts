import { BackgroundLoops } from '@aos/background';
import { DueRows, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { formerNumbers } from './former-numbers.js';
import { RunCounterEntity } from './run-counter.entity.js';
import { anyUnnumbered, nextUnnumbered } from './run-counter.sql.js';
import { numberRows } from '../run-row.sql.js';

const everyMs = 10_000;
/** Starts of the agent wait for a batch. */
const batchSize = 100;

/** Numbers runs that were made before runs had numbers, or by a replica of that version, by their age. */
@Injectable()
export class RunNumbering {
  constructor(
    private readonly transactions: Transactions,
    loops: BackgroundLoops,
    dueRows: DueRows,
  ) {
    loops.add({
      name: 'the numbering of former runs',
      idleMs: everyMs,
      mayHaveWork: () => dueRows.any(anyUnnumbered),
      work: () => this.numberSome(),
    });
  }

  /** True if there may be more. */
  async numberSome(): Promise<boolean> {
    return this.transactions.run(async () => {
      await this.transactions.lock('the numbering of former runs');
      const runs = await this.transactions.query<{ id: string; agent_id: string }>(nextUnnumbered, [
        batchSize,
      ]);
      if (runs.length === 0) return false;
      const { agent_id: agentId } = runs[0]!;
      const { numbers, counter } = formerNumbers(await this.lockCounter(agentId), runs.length);
      await this.transactions.query(numberRows, [runs.map(({ id }) => id), numbers]);
      await this.counters.update({ agent_id: agentId }, counter);
      return true;
    });
  }

  private async lockCounter(agentId: string): Promise<RunCounterEntity> {
    const none = { agent_id: agentId, last: 0 };
    await this.counters.createQueryBuilder().insert().values(none).orIgnore().execute();
    const lock = { mode: 'pessimistic_write' } as const;
    return this.counters.findOneOrFail({ where: { agent_id: agentId }, lock });
  }

  private get counters(): Repository<RunCounterEntity> {
    return this.transactions.repository(RunCounterEntity);
  }
}
