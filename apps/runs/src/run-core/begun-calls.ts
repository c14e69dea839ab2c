import type { BegunCall } from '@aos/agent-runtime';
import { Batcher, type BatchOutcome } from '@aos/background';
import { isStoreUnavailable, Statements } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';

/** A tool call that begins: the lease under which it does, and how many steps are stored before it. */
interface BeginningCall {
  readonly runId: string;
  readonly token: string;
  readonly steps: number;
  readonly name: string;
  readonly attempts: number;
  readonly startedAt: Date;
}

const maxBatch = 100;

/**
 * Notes tool calls before they are made, many in one statement, as steps that run; the step's end replaces the note.
 * The lock makes it wait for whoever takes the run over, and see that it has lost it.
 */
const noteCalls = `
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(
    n int, run_id uuid, token uuid, steps int, name text, attempts int, started_at timestamptz(3))),
  held AS MATERIALIZED (
    SELECT input.* FROM run JOIN input ON input.run_id = run.id
     WHERE run.lease_token = input.token AND run.status = 'running' AND run.steps = input.steps
     ORDER BY run.id
       FOR SHARE OF run),
  noted AS (
    INSERT INTO run_step (run_id, step_index, name, kind, status, attempts, started_at)
    SELECT run_id, steps + 1, name, 'tool', 'running', attempts, started_at FROM held
    ON CONFLICT (run_id, step_index) DO UPDATE SET status = 'running', attempts = excluded.attempts,
      completed_at = NULL, error = NULL)
SELECT n FROM held`;

@Injectable()
export class BegunCalls {
  private readonly batcher = new Batcher<BeginningCall, boolean>({
    maxSize: maxBatch,
    run: (calls) => this.write(calls),
    tryAlone: (error) => !isStoreUnavailable(error),
  });

  constructor(@Inject(Statements) private readonly statements: Statements) {}

  /** False if the run is no longer the worker's. */
  note(call: BeginningCall): Promise<boolean> {
    return this.batcher.add(call);
  }

  /** The call that was noted as begun and has no result: its note lies behind the last stored step. */
  async find(runId: string, steps: number): Promise<BegunCall | undefined> {
    const [row] = await this.statements.read<BegunCall>(
      `SELECT name, attempts FROM run_step WHERE run_id = $1 AND step_index = $2 AND status = 'running'`,
      [runId, steps + 1],
    );
    return row;
  }

  private async write(calls: readonly BeginningCall[]): Promise<readonly BatchOutcome<boolean>[]> {
    const input = calls.map(({ runId, startedAt, ...call }, n) => {
      return { n, run_id: runId, started_at: startedAt, ...call };
    });
    const rows = await this.statements.write<{ n: number }>(noteCalls, [JSON.stringify(input)]);
    const noted = new Set(rows.map(({ n }) => n));
    return calls.map((_, n) => ({ ok: true, value: noted.has(n) }));
  }
}
