import {
  bulkDeleteCases,
  bulkReprocessCases,
  bulkUpdateCasePriority,
  bulkUpdateCaseStatus,
  clearQueueCases,
  type Req,
} from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { BulkChanges } from './bulk-changes.js';
import type { WalkState } from './case-selection.js';

@Controller()
export class CaseBulkHandlers {
  constructor(private readonly bulk: BulkChanges) {}

  @Handles(bulkDeleteCases)
  bulkDeleteCases({ teamId, principal, params, body, keyRecord }: Req<typeof bulkDeleteCases>) {
    const request = {
      operation: bulkDeleteCases,
      ...{ teamId, queueId: params.queue_id, selector: body, keyRecord },
      answer: (counts: WalkState) => ({ deleted_count: counts.touched, ...rest(counts) }),
    };
    return this.bulk.delete(request, principal);
  }

  @Handles(bulkReprocessCases)
  bulkReprocessCases({ teamId, principal, params, body, keyRecord }: Req<typeof bulkReprocessCases>) {
    const request = {
      operation: bulkReprocessCases,
      ...{ teamId, queueId: params.queue_id, selector: body, keyRecord },
      answer: (counts: WalkState) => ({ reprocessed_count: counts.touched, ...rest(counts) }),
    };
    return this.bulk.move(request, 'pending', { principal, reason: body.reason });
  }

  @Handles(bulkUpdateCaseStatus)
  bulkUpdateCaseStatus({ teamId, principal, params, body, keyRecord }: Req<typeof bulkUpdateCaseStatus>) {
    const request = {
      operation: bulkUpdateCaseStatus,
      ...{ teamId, queueId: params.queue_id, selector: body, keyRecord },
      answer: (counts: WalkState) => ({ updated_count: counts.touched, ...rest(counts) }),
    };
    return this.bulk.move(request, body.status, { principal, reason: body.reason });
  }

  @Handles(bulkUpdateCasePriority)
  bulkUpdateCasePriority({ teamId, principal, params, body, keyRecord }: Req<typeof bulkUpdateCasePriority>) {
    const request = {
      operation: bulkUpdateCasePriority,
      ...{ teamId, queueId: params.queue_id, selector: body, keyRecord },
      answer: (counts: WalkState) => ({ updated_count: counts.touched, ...rest(counts) }),
    };
    return this.bulk.prioritise(request, body.priority, principal);
  }

  @Handles(clearQueueCases)
  clearQueueCases({ teamId, principal, params, keyRecord }: Req<typeof clearQueueCases>) {
    const request = {
      operation: clearQueueCases,
      ...{ teamId, queueId: params.queue_id, selector: {}, keyRecord },
      answer: ({ touched, interrupted }: WalkState) => ({
        success: true as const,
        deleted_case_count: touched,
        interrupted_run_ids: [...interrupted],
      }),
    };
    return this.bulk.clear(request, principal);
  }
}

function rest({ skipped, interrupted }: WalkState): { skipped_count: number; interrupted_run_ids: string[] } {
  return { skipped_count: skipped, interrupted_run_ids: [...interrupted] };
}
