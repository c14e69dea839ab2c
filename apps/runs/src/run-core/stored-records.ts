import { PreparedStatements } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { ChangedRun } from './run-change.js';
import type { RunEntity } from './run.entity.js';

/** What is stored of a run, for a worker that has not heard whether a change of it was. */
@Injectable()
export class StoredRecords {
  constructor(private readonly statements: PreparedStatements) {}

  /** The run as a change of it would give it. */
  async run(runId: string): Promise<(ChangedRun & Pick<RunEntity, 'steps' | 'lease_token'>) | undefined> {
    const [row] = await this.statements.read<ChangedRun & Pick<RunEntity, 'steps' | 'lease_token'>>(
      `SELECT 0 AS n, id AS run_id, parent_run_id, case_queue_id, status, message_seq, message_seq AS message_base, event_seq,
              dispatches, steps, lease_token FROM run WHERE id = $1`,
      [runId],
    );
    return row;
  }

  /** The number of its latest message; undefined if it is not the worker's any more. */
  async latestMessage(runId: string, token: string): Promise<number | undefined> {
    const [row] = await this.statements.read<{ message_seq: number }>(
      'SELECT message_seq FROM run WHERE id = $1 AND lease_token = $2',
      [runId, token],
    );
    return row?.message_seq;
  }

  async messageNumber(runId: string, messageId: string): Promise<number | undefined> {
    const [row] = await this.statements.read<{ seq: number }>(
      'SELECT seq FROM run_message WHERE run_id = $1 AND id = $2',
      [runId, messageId],
    );
    return row?.seq;
  }

  async hasEvent(runId: string, eventId: string): Promise<boolean> {
    const rows = await this.statements.read('SELECT 1 FROM run_event WHERE run_id = $1 AND id = $2', [
      runId,
      eventId,
    ]);
    return rows.length === 1;
  }

  async hasStep(runId: string, index: number, startedAt: Date | undefined): Promise<boolean> {
    const rows = await this.statements.read(
      'SELECT 1 FROM run_step WHERE run_id = $1 AND step_index = $2 AND started_at = $3',
      [runId, index, startedAt],
    );
    return rows.length === 1;
  }
}
