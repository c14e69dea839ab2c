import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { aliased } from '../../schemas/aliased.js';
import { boundedList, idParams, idSchema } from '../../schemas/common.js';
import {
  caseFiltersSchema,
  caseLimits,
  casePrioritySchema,
  caseSearchSchema,
  caseStatusSchema,
  reasonSchema,
} from '../../schemas/cases.js';

const owner = 'runs';
const tag = 'Queues';
const ofQueue = '/v2/queues/{queue_id}/cases';
const scope = 'queues:write';
const params = idParams('queue_id');
/** However many cases match: a request that is cut off goes on when it is sent again with its key. */
const timeoutMs = 120_000;

const selector = {
  case_ids: boundedList(idSchema, { min: 1, max: caseLimits.casesAtOnce }).optional(),
  all_matching: z.literal(true).optional(),
  filters: caseFiltersSchema.optional(),
  search: caseSearchSchema.optional(),
};

interface Selected {
  readonly case_ids?: unknown;
  readonly all_matching?: unknown;
}

const choosesOnce = (body: Selected) => (body.case_ids === undefined) !== (body.all_matching === undefined);
const choice = { message: 'Give exactly one of case_ids and all_matching' };

/** In both spellings. */
const counts = {
  skipped_count: z.int(),
  interrupted_run_ids: z.array(idSchema),
  skippedCount: z.int(),
  interruptedRunIds: z.array(idSchema),
};

const description =
  'The cases are `case_ids`, or `all_matching` those that `filters` and `search` name. They are changed in batches; ' +
  'with an Idempotency-Key a request that was cut off goes on where it was. Runs that work on them are stopped.';

export const bulkDeleteCases = defineOperation({
  operationId: 'bulkDeleteCases',
  method: 'POST',
  path: `${ofQueue}/bulk-delete`,
  tag,
  summary: 'Delete many cases',
  description,
  owner,
  scope,
  params,
  body: z.object(selector).refine(choosesOnce, choice),
  status: 200,
  idempotency: 'batched',
  destructive: true,
  timeoutMs,
  response: z.object({ deleted_count: z.int(), deletedCount: z.int(), ...counts }),
});

export const bulkReprocessCases = defineOperation({
  operationId: 'bulkReprocessCases',
  method: 'POST',
  path: `${ofQueue}/bulk-reprocess`,
  tag,
  summary: 'Reset many cases to pending',
  description: `${description} With \`agent_id\` they are for that agent alone, as long as it has an enabled trigger on the queue; without one 409.`,
  owner,
  scope,
  params,
  body: aliased(
    { agentId: 'agent_id' },
    z
      .object({ ...selector, reason: reasonSchema.optional(), agent_id: idSchema.optional() })
      .refine(choosesOnce, choice),
  ),
  status: 200,
  idempotency: 'batched',
  timeoutMs,
  response: z.object({ reprocessed_count: z.int(), reprocessedCount: z.int(), ...counts }),
});

export const bulkUpdateCaseStatus = defineOperation({
  operationId: 'bulkUpdateCaseStatus',
  method: 'POST',
  path: `${ofQueue}/bulk-update-status`,
  tag,
  summary: 'Change the status of many cases',
  description,
  owner,
  scope,
  params,
  body: z
    .object({ ...selector, status: caseStatusSchema, reason: reasonSchema.optional() })
    .refine(choosesOnce, choice),
  status: 200,
  idempotency: 'batched',
  timeoutMs,
  response: z.object({ updated_count: z.int(), updatedCount: z.int(), ...counts }),
});

export const bulkUpdateCasePriority = defineOperation({
  operationId: 'bulkUpdateCasePriority',
  method: 'POST',
  path: `${ofQueue}/bulk-update-priority`,
  tag,
  summary: 'Change the priority of many cases',
  description: description.replace(' Runs that work on them are stopped.', ''),
  owner,
  scope,
  params,
  body: z.object({ ...selector, priority: casePrioritySchema }).refine(choosesOnce, choice),
  status: 200,
  idempotency: 'batched',
  timeoutMs,
  response: z.object({ updated_count: z.int(), updatedCount: z.int(), ...counts }),
});
