import type { Run, RunError, RunStatus, RunStopReason } from '@aos/contracts';
import type { StepRow } from '../records/run-records.entities.js';
import type { RunRecords } from '../records/run-records.js';
import type { outcomeColumns } from '../run-columns.js';
import type { RunEntity } from '../run.entity.js';

/** One change of one run: what must hold for it, what becomes of the run, and what is written with it. */
export interface RunChange extends RunRecords {
  readonly runId: string;
  /** The statuses in which it may happen. */
  readonly from: readonly RunStatus[];
  /** The lease under which it may happen; undefined where no worker is at it. */
  readonly token?: string;
  /** How many steps are stored before it. */
  readonly steps?: number;
  /** The latest message that the worker had seen when it decided on the change. */
  readonly seenSeq?: number;
  readonly status: RunStatus;
  readonly result?: string | null;
  readonly error?: RunError;
  readonly stopReason?: RunStopReason;
  readonly scriptPosition?: number;
  readonly activeMs?: number;
  readonly usage?: {
    readonly toolCalls: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
  };
  readonly step?: StepRow;
  /** How the step that waits for a person or the clock ended. */
  readonly closesStep?: 'completed' | 'cancelled' | 'failed';
  readonly humanRequest?: object;
  /** The status that a message brings it back from; its limits begin anew. */
  readonly reopenedFrom?: RunStatus;
  /** Whether its facts alone judge the run: its build is known to have no rubrics of its team's. */
  readonly isJudgedByFacts?: boolean;
  /** Whether the run is known to have no case. */
  readonly isCaseless?: boolean;
  readonly keepsLease?: boolean;
  /** It ends: what comes after a message is not what Postgres may have lost. */
  readonly settlesDoubt?: boolean;
  /** It is to be given to a worker again, after this time. */
  readonly requeueAfterMs?: number;
}

/** The run after a change. */
export interface ChangedRun {
  readonly n: number;
  readonly run_id: string;
  readonly team_id: string;
  readonly parent_run_id: string | null;
  readonly case_queue_id: string | null;
  readonly status: RunStatus;
  /** The numbers of the latest message and event before the change brought its own. */
  readonly message_base: number;
  readonly message_seq: number;
  readonly event_seq: number;
  readonly dispatches: number;
}

export type CommittedRun = ChangedRun &
  Pick<RunEntity, (typeof outcomeColumns)[number]> & { readonly eval_summary: Run['eval_summary'] };
