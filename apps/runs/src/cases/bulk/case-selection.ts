import type { CaseFilters, OperationResponse, clearQueueCases } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import { QueuesRepository } from '../queues/queues.repository.js';
import { caseFilterOf, type CaseFilter, type CaseOrder } from '../case-filter.js';
import { CaseList } from '../case-list.js';
import type { CaseCursor } from '../case-pages.sql.js';

/** Which cases a request means. */
export interface Selector {
  readonly case_ids?: readonly string[];
  readonly filters?: CaseFilters;
  readonly search?: string;
}

/** How far a walk over the selected cases has got, and what came of it. */
export interface WalkState {
  /** Cases that come later are not meant. */
  readonly until: string;
  readonly after?: CaseCursor;
  readonly over?: boolean;
  readonly touched: number;
  readonly skipped: number;
  readonly interrupted: readonly string[];
}

const batchSize = 500;
const newestFirst: CaseOrder = { by: 'created_at', direction: 'desc' };

/** Gives the selected cases batch by batch. */
@Injectable()
export class CaseSelection {
  constructor(
    private readonly queues: QueuesRepository,
    private readonly list: CaseList,
  ) {}

  async begin(teamId: string, queueId: string): Promise<WalkState> {
    await this.queues.get(teamId, queueId);
    const until = await this.untilNewest(queueId);
    return { until: until.toISOString(), touched: 0, skipped: 0, interrupted: [] };
  }

  /** Now, or when the newest case was made by the clock of its maker: that of another replica may be ahead. */
  private async untilNewest(queueId: string): Promise<Date> {
    const now = new Date();
    const { items } = await this.list.page(caseFilterOf(queueId), newestFirst, { limit: 1, offset: 0 });
    const newest = items[0]?.created_at ?? now;
    return newest > now ? newest : now;
  }

  /** The ids of the next batch, and the walk after it; undefined when it is over. */
  async next(
    queueId: string,
    selector: Selector,
    state: WalkState,
  ): Promise<{ ids: string[]; state: WalkState } | undefined> {
    if (state.over) return undefined;
    if (selector.case_ids) {
      return { ids: [...new Set(selector.case_ids)], state: { ...state, over: true } };
    }
    const { ids, last } = await this.list.walk(filterOf(queueId, selector, state), state.after, batchSize);
    return last && { ids, state: { ...state, after: last } };
  }
}

/** The answer in both spellings (docs/compatibility.md). */
export function deletedCases({ touched, interrupted }: WalkState): OperationResponse<typeof clearQueueCases> {
  return {
    success: true,
    deleted_case_count: touched,
    interrupted_run_ids: [...interrupted],
    deletedCount: touched,
    interruptedRunIds: [...interrupted],
  };
}

function filterOf(queueId: string, { filters, search }: Selector, { until }: WalkState): CaseFilter {
  return { ...caseFilterOf(queueId, filters, search), createdUntil: new Date(until) };
}
