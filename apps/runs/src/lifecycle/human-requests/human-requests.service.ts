import type { HumanRequest } from '@aos/contracts';
import { type Page, type PageRequest, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { RunChanges } from '../../run-core/changes/run-changes.js';
import { RunDispatch } from '../../run-core/claims/run-dispatch.js';
import { RunEvents } from '../../run-core/records/run-events.js';
import type { RunRecords } from '../../run-core/records/run-records.js';
import { changeBy } from '../../run-core/run-state.js';
import type { RunEntity } from '../../run-core/run.entity.js';
import { RunsRepository } from '../../run-core/runs.repository.js';
import { effectOf, type HumanAnswer } from './human-answer.js';
import { HumanRequestSettling } from './human-request-settling.js';
import type { HumanRequestEntity } from './human-request.entity.js';
import { type HumanRequestFilter, HumanRequestsRepository } from './human-requests.repository.js';

export function toHumanRequest(row: HumanRequestEntity): HumanRequest {
  return {
    id: row.id,
    request_id: row.id,
    run_id: row.run_id,
    type: row.type,
    title: row.title,
    description: row.description,
    questions: row.questions ?? undefined,
    status: row.status,
    response: row.response,
    votes: row.votes,
    assignee: row.assignee,
    due_at: row.due_at?.toISOString() ?? null,
    on_timeout: row.on_timeout,
    required_approvals: row.required_approvals,
    responded_at: row.responded_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

const tooLate = 'Nobody answered in time.';

@Injectable()
export class HumanRequestsService {
  constructor(
    private readonly requests: HumanRequestsRepository,
    private readonly settling: HumanRequestSettling,
    private readonly runs: RunsRepository,
    private readonly changes: RunChanges,
    private readonly dispatch: RunDispatch,
    private readonly runEvents: RunEvents,
    private readonly transactions: Transactions,
  ) {}

  list(teamId: string, filter: HumanRequestFilter, page: PageRequest): Promise<Page<HumanRequestEntity>> {
    return this.requests.list(teamId, filter, page);
  }

  awaitsApproval(teamId: string, agentId: string): Promise<boolean> {
    return this.requests.awaitsApproval(teamId, agentId);
  }

  /** In the operation's transaction. An approval short of its quorum leaves the request pending. */
  async respond(
    { teamId, runId, requestId }: { teamId: string; runId: string; requestId: string },
    userId: string,
    answer: HumanAnswer,
  ): Promise<HumanRequestEntity> {
    const run = await this.runs.lock(teamId, runId);
    const request = await this.requests.get(teamId, runId, requestId);
    const effect = effectOf(request, answer, userId, new Date());
    if (effect.kind === 'pending') return this.requests.setVotes(teamId, requestId, effect.votes);
    const { response, votes, approved, answers } = effect;
    const settled = { status: 'answered', response, votes } as const;
    const records = await this.settling.settle(run, request, settled, {
      result: response,
      approved,
      answers,
    });
    await this.goOn(run, records);
    return records.request;
  }

  /** Settles a request whose time is over as it says itself: denied, or its run fails. */
  async expire({
    id,
    run_id: runId,
    team_id: teamId,
  }: Pick<HumanRequestEntity, 'id' | 'run_id' | 'team_id'>) {
    await this.transactions.run(async () => {
      const run = await this.runs.lock(teamId, runId);
      const request = await this.requests.get(teamId, runId, id);
      if (request.status !== 'pending') return;
      const denied = request.type === 'approval' && request.on_timeout === 'deny';
      const response = denied ? { approved: false, comment: tooLate } : null;
      const settled = { status: 'expired', response, votes: request.votes } as const;
      const outcome = denied ? { result: response, approved: false } : { error: tooLate };
      const records = await this.settling.settle(run, request, settled, outcome);
      if (request.on_timeout === 'deny') await this.goOn(run, records);
      else await this.failRun(run, records);
    });
  }

  private async goOn(run: RunEntity, { messages, events }: RunRecords): Promise<void> {
    await this.changes.apply({
      runId: run.id,
      ...changeBy('settle'),
      closesStep: 'completed',
      requeueAfterMs: 0,
      messages,
      events,
    });
    const toDo = { runId: run.id, teamId: run.team_id };
    this.transactions.afterCommit(() => this.dispatch.add([toDo]));
  }

  private async failRun(run: RunEntity, { messages, events }: RunRecords): Promise<void> {
    const error = { code: 'human_request_expired', message: tooLate } as const;
    await this.changes.apply({
      runId: run.id,
      ...changeBy('fail'),
      error,
      closesStep: 'failed',
      messages,
      events: [...events, ...this.runEvents.ofFailure(run, error)],
    });
  }
}
