import { BackgroundLoops } from '@aos/background';
import { DueRows, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { numberRows } from '../run-row.sql.js';
import type { PublicRun } from '../run.mapper.js';
import { anyUnnumbered, futureNumbers, nextUnnumbered } from './run-counter.sql.js';
import { RunCounterEntity } from './run-starts.entities.js';

type Counter = Pick<RunCounterEntity, 'last' | 'former' | 'former_given'>;

/**
 * The numbers of the next runs, oldest first, that were made without one, and the counter after them. Those that are kept
 * for such runs come first; a replica of the version before may have made more since.
 */
export function formerNumbers(
  { last, former, former_given: given }: Counter,
  count: number,
): { readonly numbers: readonly number[]; readonly counter: Counter } {
  const kept = Math.min(count, former - given);
  const numbers = Array.from({ length: count }, (_, place) =>
    place < kept ? given + place + 1 : last + place - kept + 1,
  );
  return { numbers, counter: { last: last + count - kept, former, former_given: given + kept } };
}

interface RunOfAgent {
  readonly run: { readonly agent_id: string };
}

/** How many numbers an agent gives to a batch. */
export interface TakenNumbers {
  readonly agent_id: string;
  readonly taken: number;
}

/**
 * For each of the starts how many of the same agent come behind it, and the agents in the order in which all batches lock
 * their counters.
 */
export function countAgents(starts: readonly RunOfAgent[]): {
  readonly behind: readonly number[];
  readonly agents: readonly TakenNumbers[];
} {
  const counts = new Map<string, number>();
  const behind = starts.map(() => 0);
  for (let place = starts.length - 1; place >= 0; place -= 1) {
    const agentId = starts[place]!.run.agent_id;
    behind[place] = counts.get(agentId) ?? 0;
    counts.set(agentId, behind[place]! + 1);
  }
  const agents = [...counts].map(([agentId, taken]) => ({ agent_id: agentId, taken }));
  return { behind, agents: agents.sort((one, other) => (one.agent_id < other.agent_id ? -1 : 1)) };
}

/** Numbers of runs as their callers see them. */
@Injectable()
export class RunNumbers {
  constructor(private readonly transactions: Transactions) {}

  /** The runs of a team; one that has no number yet shows the number that it will get. */
  async complete<R extends PublicRun>(teamId: string, runs: readonly R[]): Promise<R[]> {
    const missing = runs.filter(({ run_number: number }) => number === null).map(({ id }) => id);
    if (missing.length === 0) return [...runs];
    const rows = await this.transactions.query<{ id: string; run_number: number }>(futureNumbers, [
      teamId,
      missing,
    ]);
    const numbers = new Map(rows.map(({ id, run_number: number }) => [id, number]));
    return runs.map((run) => ({ ...run, run_number: run.run_number ?? numbers.get(run.id)! }));
  }
}

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
