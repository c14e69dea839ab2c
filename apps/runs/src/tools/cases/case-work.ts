import { AppError, type NewCase, notFound } from '@aos/contracts';
import { Outbox } from '@aos/events';
import { newId, Transactions } from '@aos/persistence';
import { recordedTraceparent } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { CaseMoves } from '../../cases/case-moves.js';
import { handOverClaimed, postponeClaimed, settleClaimed } from '../../cases/case-parts.sql.js';
import type { CaseEntity } from '../../cases/case.entities.js';
import { runActor } from '../../cases/case.mapper.js';
import { CasesRepository } from '../../cases/cases.repository.js';
import { type CaseChanges, CasesService } from '../../cases/cases.service.js';
import { CaseLabelLinks } from '../../cases/labels/case-labels.repository.js';
import { QueuesRepository } from '../../cases/queues/queues.repository.js';
import { momentOf } from '../../run-core/run-columns.js';
import {
  type CallContext,
  type CallingRun,
  CaseCalls,
  type SettledCase,
  SettlingCalls,
} from './case-calls.js';

/** Actions of a run on its case, each once per call. Refusals carry a reason for the agent. */
@Injectable()
export class CaseWork {
  constructor(
    private readonly calls: CaseCalls,
    private readonly settling: SettlingCalls,
    private readonly service: CasesService,
    private readonly cases: CasesRepository,
    private readonly queues: QueuesRepository,
    private readonly links: CaseLabelLinks,
    private readonly moves: CaseMoves,
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
  ) {}

  async settle(context: CallContext, status: SettledCase['status'], reason: string | null): Promise<object> {
    const settled = await this.settling.settle(context, status, reason);
    if (settled) return settled;
    // Something was in the way. It is waited for, or found and told.
    return this.calls.once(context, async (run) => {
      const { id } = await this.claimed(run);
      const meta = { traceparent: recordedTraceparent() };
      await this.transactions.query(settleClaimed, [id, status, run.id, newId(), newId(), reason, meta]);
      this.transactions.afterCommit(() => this.outbox.recorded());
      return { case_id: id, status };
    });
  }

  postpone(context: CallContext, until: string, reason: string | null): Promise<object> {
    return this.calls.once(context, async (run) => {
      const { id, queue_id: queueId } = await this.claimed(run);
      const moment = momentOf(until)!;
      await this.transactions.query(postponeClaimed, [id, moment]);
      await this.cases.addEvent(id, 'postponed', { actor: runActor(run.id), reason });
      this.moves.wake(queueId);
      return { case_id: id, postponed_to: moment.toISOString() };
    });
  }

  add(context: CallContext, queueId: string | undefined, cases: readonly NewCase[]): Promise<object> {
    return this.calls.once(context, async (run) => {
      const wanted = queueId ?? (await this.queueOf(run));
      const made = await this.service
        .create(run.team_id, wanted, cases, runActor(run.id))
        .catch(namedRefusal(wanted));
      await this.queues.addProducer(wanted, run.agent_id, run.agent_name);
      return { queue_id: wanted, case_ids: made.map(({ id }) => id) };
    });
  }

  handOver(context: CallContext, queueId: string, reason: string | null): Promise<object> {
    return this.calls.once(context, async (run) => {
      const { id, queue_id: from } = await this.claimed(run);
      await this.queues.hold(run.team_id, queueId).catch(namedRefusal(queueId));
      if (queueId === from) throw new AppError('invalid_state', 'The case is already in this queue.');
      await this.transactions.query(handOverClaimed, [id, queueId]);
      await this.moveLabels(run.team_id, id, queueId);
      await this.cases.addEvent(id, 'handed_over', { actor: runActor(run.id), reason });
      await this.queues.addProducer(queueId, run.agent_id, run.agent_name);
      this.moves.wake(queueId);
      return { case_id: id, queue_id: queueId };
    });
  }

  update(context: CallContext, changes: CaseChanges): Promise<object> {
    return this.calls.once(context, async (run) => {
      const { id } = await this.claimed(run);
      await this.service.edit(run.team_id, id, changes, { actor: runActor(run.id) });
      return { case_id: id, updated: Object.keys(changes) };
    });
  }

  /** The case that the run holds, locked. */
  private async claimed(run: CallingRun): Promise<CaseEntity> {
    const row =
      run.case_id === null ? undefined : await this.cases.lock(run.team_id, run.case_id).catch(gone);
    if (row?.claimed_by_run_id === run.id && row.status === 'pending') return row;
    const message = row
      ? `This run does not hold the case any more: it is ${row.status}.`
      : 'This run has no case.';
    throw new AppError('invalid_state', message);
  }

  /** Labels belong to a queue: the case gets those of the same name in the other. */
  private async moveLabels(teamId: string, caseId: string, queueId: string): Promise<void> {
    const { labels } = await this.cases.get(teamId, caseId);
    const idOf = await this.links.ensure(teamId, queueId, labels);
    await this.links.replace(caseId, labels.map(idOf));
  }

  private async queueOf(run: CallingRun): Promise<string> {
    const row = run.case_id === null ? undefined : await this.cases.find(run.team_id, run.case_id);
    if (!row) throw new AppError('invalid_request', 'queue_id: is required, since this run has no case.');
    return row.queue_id;
  }
}

function gone(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_found') return undefined;
  throw error;
}

function namedRefusal(queueId: string) {
  return (error: unknown): never => {
    if (error instanceof AppError && error.code === notFound().code) {
      throw new AppError('not_found', `This team has no queue ${queueId}.`);
    }
    throw error;
  };
}
