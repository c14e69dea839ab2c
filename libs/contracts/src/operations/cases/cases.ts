import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import {
  boundedList,
  idParams,
  idSchema,
  listOf,
  pageQuery,
  queryList,
  queryTimestamp,
  successSchema,
} from '../../schemas/common.js';
import {
  caseEventSchema,
  caseFiltersSchema,
  caseLimits,
  casePrioritySchema,
  caseSchema,
  caseSearchSchema,
  caseSortFields,
  caseStatusFilterSchema,
  caseStatusSchema,
  momentSchema,
  newCaseLabelsSchema,
  newCaseSchema,
  reasonSchema,
} from '../../schemas/cases.js';
import { runSchema } from '../../schemas/runs.js';
import { deletedCasesSchema } from './queues.js';

const owner = 'runs';
const tag = 'Queues';
const ofQueue = '/v2/queues/{queue_id}/cases';
const one = '/v2/cases/{case_id}';
const listLimits = { default: 20, max: 100 };

const oneCase = z.object({ case_id: idSchema, status: caseStatusSchema, case: caseSchema });

export const caseListQuery = {
  status: queryList(caseStatusFilterSchema),
  priority: queryList(casePrioritySchema),
  created_at_from: queryTimestamp,
  created_at_to: queryTimestamp,
  updated_at_from: queryTimestamp,
  updated_at_to: queryTimestamp,
  search: caseSearchSchema.optional(),
};

const sorting = {
  sort_by: z.enum(caseSortFields).default('created_at'),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
};

const behindPage =
  'With a search, labels, a time, or a status that follows from others (in_progress, needs_input, postponed) `total` ' +
  'counts at most 1,000 cases behind the page; else it is exact.';

export const listCases = defineOperation({
  operationId: 'listCases',
  method: 'GET',
  path: ofQueue,
  tag,
  summary: 'List the cases of a queue',
  description:
    '`status=pending` shows all that are not settled; `in_progress`, `needs_input` and `postponed` are among them, and `claimed` is the first two. ' +
    'Sorted by `postponed_to`, cases that are not postponed come last. ' +
    behindPage,
  owner,
  scope: 'queues:read',
  params: idParams('queue_id'),
  query: z.object({ ...caseListQuery, ...sorting, ...pageQuery(listLimits) }),
  status: 200,
  response: listOf('cases', caseSchema),
});

export const createCases = defineOperation({
  operationId: 'createCases',
  method: 'POST',
  path: ofQueue,
  tag,
  summary: 'Create cases in a queue',
  description: 'Either `case` or `cases`. Agents with a trigger on the queue take them at once.',
  owner,
  scope: 'queues:write',
  params: idParams('queue_id'),
  body: z
    .object({
      case: newCaseSchema.optional(),
      cases: boundedList(newCaseSchema, { min: 1, max: caseLimits.casesAtOnce }).optional(),
    })
    .refine((body) => (body.case === undefined) !== (body.cases === undefined), {
      message: 'Give exactly one of case and cases',
    }),
  status: 201,
  response: z.object({ added_cases: z.array(caseSchema) }),
});

export const clearQueueCases = defineOperation({
  operationId: 'clearQueueCases',
  method: 'DELETE',
  path: ofQueue,
  tag,
  summary: 'Delete all cases of a queue',
  description: 'Runs that work on them are stopped.',
  owner,
  scope: 'queues:write',
  params: idParams('queue_id'),
  status: 200,
  idempotency: 'batched',
  timeoutMs: 120_000,
  response: deletedCasesSchema,
});

export const searchCases = defineOperation({
  operationId: 'searchCases',
  method: 'POST',
  path: `${ofQueue}/search`,
  tag,
  summary: 'Search the cases of a queue',
  description: behindPage,
  owner,
  scope: 'queues:read',
  params: idParams('queue_id'),
  body: z.object({
    filters: caseFiltersSchema.optional(),
    search: caseSearchSchema.optional(),
    ...sorting,
    limit: z.int().min(1).max(100).default(25),
    offset: z.int().min(0).default(0),
  }),
  status: 200,
  repeatable: true,
  response: listOf('cases', caseSchema),
});

export const getCase = defineOperation({
  operationId: 'getCase',
  method: 'GET',
  path: one,
  tag,
  summary: 'Get a case with its history',
  owner,
  scope: 'queues:read',
  params: idParams('case_id'),
  status: 200,
  response: oneCase.extend({ events: z.array(caseEventSchema) }),
});

export const updateCase = defineOperation({
  operationId: 'updateCase',
  method: 'PATCH',
  path: one,
  tag,
  summary: 'Update a case',
  description:
    '`labels` replaces them all. `status` settles the case or makes it pending again; the run that works on it is stopped then.',
  owner,
  scope: 'queues:write',
  params: idParams('case_id'),
  body: z.object({
    title: z.string().min(1).max(caseLimits.titleLength).optional(),
    data: z.unknown().optional(),
    priority: casePrioritySchema.optional(),
    labels: newCaseLabelsSchema.optional(),
    status: caseStatusSchema.optional(),
    postponed_to: momentSchema.nullish(),
    reason: reasonSchema.optional(),
  }),
  status: 200,
  response: oneCase.extend({ interrupted_run_ids: z.array(idSchema) }),
});

export const deleteCase = defineOperation({
  operationId: 'deleteCase',
  method: 'DELETE',
  path: one,
  tag,
  summary: 'Delete a case',
  description: 'The run that works on it is stopped.',
  owner,
  scope: 'queues:write',
  params: idParams('case_id'),
  status: 200,
  response: successSchema.extend({ interrupted_run_ids: z.array(idSchema) }),
});

export const listCaseRuns = defineOperation({
  operationId: 'listCaseRuns',
  method: 'GET',
  path: `${one}/runs`,
  tag,
  summary: 'List the runs that worked on a case, newest first',
  owner,
  scope: 'queues:read',
  params: idParams('case_id'),
  query: z.object(pageQuery(listLimits)),
  status: 200,
  response: listOf('runs', runSchema),
});
