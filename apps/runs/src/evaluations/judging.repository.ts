import { newId, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { StoredMessage } from '../run-core/loop-messages.js';
import type { RunEntity } from '../run-core/run.entity.js';
import type { EvaluationOutcome } from './evaluation-outcome.js';
import { storeOutcomes } from './judging.sql.js';
import type { RunEvaluationEntity } from './run-evaluation.entity.js';
import { selectFacts, type RunFacts } from './run-facts.js';

/** An evaluation as it was read; everything that is stored names what it was. */
export type Pending = Pick<
  RunEvaluationEntity,
  'run_id' | 'team_id' | 'build_id' | 'attempts' | 'token' | 'ended_at'
>;

export interface DueEvaluation extends Pending, RunFacts, Pick<RunEntity, 'build_digest'> {}

export interface Judged {
  readonly evaluation: DueEvaluation;
  readonly outcome: EvaluationOutcome;
}

/** What judging reads and writes, for all teams: which runs are to be judged, and what came of it. */
const maxTranscriptBytes = 8 * 1024 * 1024;

@Injectable()
export class JudgingRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Those that wait longest first. */
  due(limit: number): Promise<DueEvaluation[]> {
    return this.transactions.query<DueEvaluation>(
      selectFacts(`(SELECT * FROM run_evaluation WHERE status = 'in_progress' AND due_at <= now()
                     ORDER BY due_at LIMIT $1) AS evaluation`),
      [limit],
    );
  }

  /**
   * Stores what came of it, unless it was judged already or the run has ended anew. Returns the runs whose
   * evaluations were stored. Many have the same outcome, so each is sent once.
   */
  async store(judged: readonly Judged[]): Promise<string[]> {
    if (judged.length === 0) return [];
    const outcomes = new Map<string, number>();
    const rows = judged.map(({ evaluation, outcome }) => {
      const text = JSON.stringify(outcome);
      const n = outcomes.get(text) ?? outcomes.size;
      outcomes.set(text, n);
      const { run_id, attempts, token, ended_at } = evaluation;
      return { run_id, attempts, token, ended_at, n, flags: evaluation.issue_severity !== outcome.severity };
    });
    const sent = [...outcomes].map(([text, n]) => `{"n":${n},"outcome":${text}}`);
    const stored = await this.transactions.query<{ run_id: string }>(storeOutcomes, [
      JSON.stringify(rows),
      `[${sent.join()}]`,
    ]);
    return stored.map(({ run_id }) => run_id);
  }

  /** They are not due for this time, and have no lease; returns those for which that is true now. */
  putOff(runIds: readonly string[], delayMs: number): Promise<Pick<Pending, 'run_id' | 'attempts'>[]> {
    return this.transactions.query(
      `UPDATE run_evaluation AS evaluation SET token = NULL, due_at = now() + $2 * interval '1 ms'
         FROM (SELECT run_id FROM run_evaluation
                WHERE run_id = ANY ($1::uuid[]) AND status = 'in_progress' AND due_at <= now()
                  FOR UPDATE SKIP LOCKED) AS free
        WHERE evaluation.run_id = free.run_id RETURNING evaluation.run_id, evaluation.attempts`,
      [runIds, delayMs],
    );
  }

  /** Undefined if there is nothing to judge, or another worker has the lease. */
  async claim(runId: string, leaseMs: number): Promise<DueEvaluation | undefined> {
    const claimed = await this.transactions.query(
      `UPDATE run_evaluation SET attempts = attempts + 1, token = $2, due_at = now() + $3 * interval '1 ms'
        WHERE run_id = $1 AND status = 'in_progress' AND (token IS NULL OR due_at <= now()) RETURNING run_id`,
      [runId, newId(), leaseMs],
    );
    if (claimed.length === 0) return undefined;
    const [row] = await this.transactions.query<DueEvaluation>(
      `${selectFacts('run_evaluation AS evaluation')} WHERE evaluation.run_id = $1`,
      [runId],
    );
    return row;
  }

  /** Moves the end of the lease; false if it is lost. */
  async extend(leased: Pending, byMs: number): Promise<boolean> {
    const rows = await this.transactions.query(
      `UPDATE run_evaluation SET due_at = now() + $4 * interval '1 ms' WHERE ${isLeased} RETURNING run_id`,
      [leased.run_id, leased.token, leased.attempts, byMs],
    );
    return rows.length === 1;
  }

  /** Gives it back as it was before it was taken. */
  async handBack(leased: Pending, delayMs: number): Promise<void> {
    await this.transactions.query(
      `UPDATE run_evaluation SET due_at = now() + $4 * interval '1 ms', attempts = attempts - 1 WHERE ${isLeased}`,
      [leased.run_id, leased.token, leased.attempts, delayMs],
    );
  }

  /** As much of it, from its end, as a process can hold for several judges at a time. */
  transcript(runId: string): Promise<StoredMessage[]> {
    return this.transactions.query<StoredMessage>(
      `SELECT seq, type, role, text_content, tool_call, tool_result
         FROM (SELECT *, sum(coalesce(octet_length(text_content), 0) + coalesce(octet_length(tool_call::text), 0)
                           + coalesce(octet_length(tool_result::text), 0)) OVER (ORDER BY seq DESC) AS bytes
                 FROM run_message WHERE run_id = $1) AS message
        WHERE bytes <= ${maxTranscriptBytes} ORDER BY seq`,
      [runId],
    );
  }
}

/** A run that has ended anew in the meantime has no attempts. */
const isLeased = `run_id = $1 AND token = $2 AND attempts = $3 AND status = 'in_progress'`;
