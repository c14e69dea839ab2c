import type { CaseStatus, KeyRecord, Operation, OperationResponse, Principal } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import { CaseMoves, type MovedCases } from '../case-core/case-moves.js';
import { rankOf } from '../case-core/case-rank.js';
import { actorOf } from '../case-core/case.mapper.js';
import { CasesRepository } from '../case-core/cases.repository.js';
import { CaseProgress } from '../case-progress/case-progress.js';
import type { CasePriority } from '@aos/contracts';
import { CaseSelection, type Selector, type WalkState } from './case-selection.js';

/** What is done with a batch of cases. */
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
  ): Promise<OperationResponse<O>> {
    return this.progress.run({
      operation,
      keyRecord,
      first: await this.selection.begin(teamId, queueId),
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
}
