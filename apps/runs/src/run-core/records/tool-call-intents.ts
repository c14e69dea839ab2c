import type { ToolCallIntent } from '@aos/agent-runtime';
import { Batcher, type BatchOutcome } from '@aos/background';
import { isStoreUnavailable, PreparedStatements } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { findIntent, recordIntents } from './run-records.sql.js';

/** A tool call that begins: the lease under which it does, and how many steps are stored before it. */
interface NewIntent {
  readonly runId: string;
  readonly token: string;
  readonly steps: number;
  readonly name: string;
  readonly attempts: number;
  readonly startedAt: Date;
}

const maxBatch = 100;

@Injectable()
export class ToolCallIntents {
  private readonly batcher = new Batcher<NewIntent, boolean>({
    maxSize: maxBatch,
    run: (calls) => this.write(calls),
    tryAlone: (error) => !isStoreUnavailable(error),
  });

  constructor(private readonly statements: PreparedStatements) {}

  /** False if the run is no longer the worker's. */
  record(call: NewIntent): Promise<boolean> {
    return this.batcher.add(call);
  }

  /** The intent of a call that has no result: it lies behind the last stored step. */
  async find(runId: string, steps: number): Promise<ToolCallIntent | undefined> {
    const [row] = await this.statements.read<ToolCallIntent>(findIntent, [runId, steps + 1]);
    return row;
  }

  private async write(calls: readonly NewIntent[]): Promise<readonly BatchOutcome<boolean>[]> {
    const input = calls.map(({ runId, startedAt, ...call }, n) => {
      return { n, run_id: runId, started_at: startedAt, ...call };
    });
    const rows = await this.statements.write<{ n: number }>(recordIntents, [JSON.stringify(input)]);
    const recorded = new Set(rows.map(({ n }) => n));
    return calls.map((_, n) => ({ ok: true, value: recorded.has(n) }));
  }
}
