import { askHumanToolName, requestApprovalToolName } from '@aos/agent-runtime';
import { humanRequestResponded, runToolCallCompleted, type Answers } from '@aos/contracts';
import { newId } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { RunEvents } from '../../run-core/records/run-events.js';
import type { MessageRecord, RunRecords } from '../../run-core/records/run-records.js';
import type { RunEntity } from '../../run-core/run.entity.js';
import type { HumanRequestEntity } from './human-request.entity.js';
import { HumanRequestsRepository, type Settlement } from './human-requests.repository.js';

type AskingRun = Pick<RunEntity, 'id' | 'team_id' | 'agent_id'>;

/** The result of the call by which the model asked. */
export type CallResult = { readonly result: unknown } | { readonly error: string };

/** Closes human requests and makes what their runs get: the result of the call, and the events. */
@Injectable()
export class HumanRequestSettling {
  constructor(
    private readonly requests: HumanRequestsRepository,
    private readonly events: RunEvents,
  ) {}

  /** Inside the transaction that has locked the run. */
  async settle(
    run: AskingRun,
    request: HumanRequestEntity,
    settled: Settlement,
    outcome: CallResult & { approved?: boolean; answers?: Answers },
  ): Promise<RunRecords & { request: HumanRequestEntity }> {
    const row = await this.requests.settle(run.team_id, request.id, settled);
    const { approved, answers, ...callResult } = outcome;
    const message: MessageRecord = {
      id: newId(),
      type: 'tool_result',
      role: 'tool',
      tool_result: { tool_call_id: row.tool_call_id, ...callResult },
    };
    return {
      request: row,
      messages: [message],
      events: [
        ...this.responded(run, row, { approved, answers }),
        ...this.events.ofMessages(run, [message]),
        ...this.callEnded(run, row, callResult),
      ],
    };
  }

  /** Inside the transaction that has locked the run. */
  async hasPendingApproval(run: AskingRun): Promise<boolean> {
    const pending = await this.requests.pendingInTransaction(run.team_id, run.id);
    return pending?.type === 'approval';
  }

  /** Cancels the request of a run that goes on without an answer, or is stopped. */
  async cancelPending(run: AskingRun): Promise<RunRecords> {
    const pending = await this.requests.pendingInTransaction(run.team_id, run.id);
    if (!pending) return { messages: [], events: [] };
    return this.settle(
      run,
      pending,
      { status: 'cancelled', response: null, votes: pending.votes },
      { error: 'The request was cancelled before anybody answered it.' },
    );
  }

  private responded(
    run: AskingRun,
    { id, type, title, status }: HumanRequestEntity,
    answer: { approved?: boolean; answers?: Answers },
  ) {
    const data = { run_id: run.id, request_id: id, type, title, status, ...answer };
    return this.events.publicEvent({ event: humanRequestResponded, teamId: run.team_id, data });
  }

  private callEnded(run: AskingRun, row: HumanRequestEntity, callResult: CallResult) {
    const data = {
      run_id: run.id,
      tool_call_id: row.tool_call_id,
      name: row.type === 'approval' ? requestApprovalToolName : askHumanToolName,
      ok: !('error' in callResult),
      duration_ms: Math.max(0, row.responded_at!.getTime() - row.created_at.getTime()),
      error: 'error' in callResult ? callResult.error : undefined,
    };
    return this.events.publicEvent({ event: runToolCallCompleted, teamId: run.team_id, data });
  }
}
