import { newId, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { StoredMessage } from '../run-core/records/stored-records.js';
import type { RunEntity } from '../run-core/run.entity.js';
import type { EvaluationOutcome, RunFacts } from './evaluation-results.js';
import {
  claimedEvaluation,
  claimEvaluation,
  dueEvaluations,
  extendEvaluation,
  handBackEvaluation,
  putOffEvaluations,
  runTranscript,
  storeOutcomes,
} from './judging.sql.js';
import type { RunEvaluationEntity } from './run-evaluation.entity.js';

/** An evaluation as it was read; everything that is stored names what it was. */
export type Pending = Pick<
  RunEvaluationEntity,
  'run_id' | 'team_id' | 'build_id' | 'attempts' | 'token' | 'ended_at'
>;

export interface DueEvaluation extends Pending, RunFacts, Pick<RunEntity, 'build_digest' | 'agent_id'> {}

export interface Judged {
  readonly evaluation: DueEvaluation;
  readonly outcome: EvaluationOutcome;
}

const maxTranscriptBytes = 8 * 1024 * 1024;

/** SQL of evaluations over all teams. */
@Injectable()
export class JudgingRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Oldest first. */
  due(limit: number): Promise<DueEvaluation[]> {
    return this.transactions.query<DueEvaluation>(dueEvaluations, [limit]);
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
    return this.transactions.query(putOffEvaluations, [runIds, delayMs]);
  }

  /** Undefined if there is nothing to judge, or another worker has the lease. */
  async claim(runId: string, leaseMs: number): Promise<DueEvaluation | undefined> {
    const claimed = await this.transactions.query(claimEvaluation, [runId, newId(), leaseMs]);
    if (claimed.length === 0) return undefined;
    const [row] = await this.transactions.query<DueEvaluation>(claimedEvaluation, [runId]);
    return row;
  }

  /** Moves the end of the lease; false if it is lost. */
  async extend(leased: Pending, byMs: number): Promise<boolean> {
    const rows = await this.transactions.query(extendEvaluation, [
      leased.run_id,
      leased.token,
      leased.attempts,
      byMs,
    ]);
    return rows.length === 1;
  }

  /** Gives it back as it was before it was taken. */
  async handBack(leased: Pending, delayMs: number): Promise<void> {
    await this.transactions.query(handBackEvaluation, [
      leased.run_id,
      leased.token,
      leased.attempts,
      delayMs,
    ]);
  }

  /** As much of it, from its end, as a process can hold for several judges at a time. */
  transcript(runId: string): Promise<StoredMessage[]> {
    return this.transactions.query<StoredMessage>(runTranscript, [runId, maxTranscriptBytes]);
  }
}
