import type { ToolCallIntent } from '@aos/agent-runtime';
import { Batcher, type BatchOutcome } from '@aos/background';
import { isStoreUnavailable, PreparedStatements } from '@aos/persistence';
import { Injectable } from '@nestjs/common';

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

/**
 * Records that tool calls are about to be made, many in one statement, as steps that run; the step's end replaces the
 * intent. The lock makes it wait for a worker that takes the run over, and see that the lease is lost. By hand: it works
 * on a set, under the leases of its runs.
 */
const recordIntents = `
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(
    n int, run_id uuid, token uuid, steps int, name text, attempts int, started_at timestamptz(3))),
  leased AS MATERIALIZED (
    SELECT input.* FROM run JOIN input ON input.run_id = run.id
     WHERE run.lease_token = input.token AND run.status = 'running' AND run.steps = input.steps
     ORDER BY run.id
       FOR SHARE OF run),
  recorded AS (
    INSERT INTO run_step (run_id, step_index, name, kind, status, attempts, started_at)
    SELECT run_id, steps + 1, name, 'tool', 'running', attempts, started_at FROM leased
    ON CONFLICT (run_id, step_index) DO UPDATE SET status = 'running', attempts = excluded.attempts,
      completed_at = NULL, error = NULL)
SELECT n FROM leased`;

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
    const [row] = await this.statements.read<ToolCallIntent>(
      `SELECT name, attempts FROM run_step WHERE run_id = $1 AND step_index = $2 AND status = 'running'`,
      [runId, steps + 1],
    );
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
