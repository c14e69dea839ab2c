import {
  AppError,
  type CasePriority,
  type CaseStatus,
  type KeyRecord,
  type Operation,
  type OperationResponse,
  type Principal,
} from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import { CaseMoves, type MovedCases } from '../case-moves.js';
import { actorOf, rankOf } from '../case.mapper.js';
import { CasesRepository } from '../cases.repository.js';
import { CaseProgress } from '../progress/case-progress.js';
import { CaseTriggersRepository } from '../triggers/case-triggers.repository.js';
import { CaseSelection, type Selector, type WalkState } from './case-selection.js';

type Change = (ids: readonly string[]) => Promise<MovedCases>;

export interface BulkRequest<O extends Operation> {
  readonly operation: O;
  readonly teamId: string;
  readonly queueId: string;
  readonly selector: Selector;
  readonly keyRecord: KeyRecord | undefined;
  answer(counts: WalkState): OperationResponse<O>;
}

/** Changes the selected cases of a queue, 500 in a transaction. */
@Injectable()
export class BulkChanges {
  constructor(
    private readonly selection: CaseSelection,
    private readonly progress: CaseProgress,
    private readonly moves: CaseMoves,
    private readonly cases: CasesRepository,
    private readonly triggers: CaseTriggersRepository,
  ) {}

  delete<O extends Operation>(request: BulkRequest<O>, principal: Principal): Promise<OperationResponse<O>> {
    const mover = { principal, skipsHeld: true };
    return this.run(request, (ids) => this.moves.delete(request.teamId, request.queueId, ids, mover));
  }

  /** All of them or none: the answer has no count of those that were left. */
  clear<O extends Operation>(request: BulkRequest<O>, principal: Principal): Promise<OperationResponse<O>> {
    const { teamId, queueId } = request;
    return this.run(request, async (ids) => {
      await this.moves.assertNoneHeld(teamId, queueId, principal);
      return this.moves.delete(teamId, queueId, ids, { principal });
    });
  }

  /** For the named agent alone, if one is named. */
  reprocess<O extends Operation>(
    request: BulkRequest<O>,
    by: { principal: Principal; reason?: string; agentId?: string },
  ): Promise<OperationResponse<O>> {
    const { teamId, queueId } = request;
    const mover = { ...by, skipsHeld: true };
    return this.run(
      request,
      (ids) => this.moves.move(teamId, queueId, ids, 'pending', mover),
      by.agentId === undefined ? undefined : () => this.assertServes(teamId, queueId, by.agentId!),
    );
  }

  move<O extends Operation>(
    request: BulkRequest<O>,
    status: CaseStatus,
    by: { principal: Principal; reason?: string },
  ): Promise<OperationResponse<O>> {
    const mover = { ...by, skipsHeld: true };
    return this.run(request, (ids) => this.moves.move(request.teamId, request.queueId, ids, status, mover));
  }

  prioritise<O extends Operation>(
    request: BulkRequest<O>,
    priority: CasePriority,
    principal: Principal,
  ): Promise<OperationResponse<O>> {
    const cause = { actor: actorOf(principal), reason: `priority: ${priority}` };
    return this.run(request, async (ids) => {
      const touched = await this.cases.rank(request.queueId, ids, rankOf(priority), cause);
      this.moves.wake(request.queueId);
      return { touched: touched.map(({ id }) => id), interruptedRunIds: [] };
    });
  }

  private async run<O extends Operation>(
    { operation, teamId, queueId, selector, keyRecord, answer }: BulkRequest<O>,
    change: Change,
    assertAllowed?: () => Promise<void>,
  ): Promise<OperationResponse<O>> {
    const first = await this.selection.begin(teamId, queueId);
    await assertAllowed?.();
    return this.progress.run({
      operation,
      keyRecord,
      first,
      next: async (state) => {
        const batch = await this.selection.next(queueId, selector, state);
        if (!batch) return undefined;
        const { touched, interruptedRunIds } = await change(batch.ids);
        return {
          ...batch.state,
          touched: state.touched + touched.length,
          skipped: state.skipped + batch.ids.length - touched.length,
          interrupted: [...state.interrupted, ...interruptedRunIds],
        };
      },
      answer,
    });
  }

  /** Cases that are for an agent which takes none would wait for it in vain. */
  private async assertServes(teamId: string, queueId: string, agentId: string): Promise<void> {
    const triggers = await this.triggers.ofAgent(teamId, agentId);
    if (triggers.some(({ queue_id: served, enabled }) => enabled && served === queueId)) return;
    throw new AppError('invalid_state', 'agent_id: the agent has no enabled trigger on this queue.');
  }
}
