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
import { deletedCases, type WalkState } from './case-selection.js';

@Controller()
export class CaseBulkHandlers {
  constructor(private readonly bulk: BulkChanges) {}

  @Handles(bulkDeleteCases)
  bulkDeleteCases({ teamId, principal, params, body, keyRecord }: Req<typeof bulkDeleteCases>) {
    const request = {
      operation: bulkDeleteCases,
      ...{ teamId, queueId: params.queue_id, selector: body, keyRecord },
      answer: (counts: WalkState) => ({
        deleted_count: counts.touched,
        deletedCount: counts.touched,
        ...rest(counts),
      }),
    };
    return this.bulk.delete(request, principal);
  }

  @Handles(bulkReprocessCases)
  bulkReprocessCases({ teamId, principal, params, body, keyRecord }: Req<typeof bulkReprocessCases>) {
    const request = {
      operation: bulkReprocessCases,
      ...{ teamId, queueId: params.queue_id, selector: body, keyRecord },
      answer: (counts: WalkState) => ({
        reprocessed_count: counts.touched,
        reprocessedCount: counts.touched,
        ...rest(counts),
      }),
    };
    const { agent_id: agentId, reason } = body;
    return this.bulk.reprocess(request, { principal, reason, agentId });
  }

  @Handles(bulkUpdateCaseStatus)
  bulkUpdateCaseStatus({ teamId, principal, params, body, keyRecord }: Req<typeof bulkUpdateCaseStatus>) {
    const request = {
      operation: bulkUpdateCaseStatus,
      ...{ teamId, queueId: params.queue_id, selector: body, keyRecord },
      answer: updated,
    };
    return this.bulk.move(request, body.status, { principal, reason: body.reason });
  }

  @Handles(bulkUpdateCasePriority)
  bulkUpdateCasePriority({ teamId, principal, params, body, keyRecord }: Req<typeof bulkUpdateCasePriority>) {
    const request = {
      operation: bulkUpdateCasePriority,
      ...{ teamId, queueId: params.queue_id, selector: body, keyRecord },
      answer: updated,
    };
    return this.bulk.prioritise(request, body.priority, principal);
  }

  @Handles(clearQueueCases)
  clearQueueCases({ teamId, principal, params, keyRecord }: Req<typeof clearQueueCases>) {
    const request = {
      operation: clearQueueCases,
      ...{ teamId, queueId: params.queue_id, selector: {}, keyRecord },
      answer: deletedCases,
    };
    return this.bulk.clear(request, principal);
  }
}

function updated(counts: WalkState) {
  return { updated_count: counts.touched, updatedCount: counts.touched, ...rest(counts) };
}

function rest({ skipped, interrupted }: WalkState) {
  return {
    skipped_count: skipped,
    interrupted_run_ids: [...interrupted],
    skippedCount: skipped,
    interruptedRunIds: [...interrupted],
  };
}
