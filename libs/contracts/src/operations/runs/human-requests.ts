import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { idParams, idSchema, listOf, pageQuery, queryBoolean } from '../../schemas/common.js';
import { answersSchema } from '../../schemas/questions.js';
import { humanRequestSchema, humanRequestStatusSchema } from '../../schemas/runs.js';

const owner = 'runs';
const tag = 'Human requests';

export const listHumanRequests = defineOperation({
  operationId: 'listHumanRequests',
  method: 'GET',
  path: '/v2/teams/{teamId}/human-requests',
  tag,
  summary: 'List human requests',
  description: 'The oldest come first.',
  owner,
  scope: 'runs:read',
  params: idParams('teamId'),
  query: z.object({
    status: humanRequestStatusSchema.optional(),
    assignee: z.string().min(1).max(200).optional(),
    /** Pending and past its due date, or not. */
    overdue: queryBoolean,
    ...pageQuery(),
  }),
  status: 200,
  response: listOf('human_requests', humanRequestSchema),
});

export const respondToHumanRequest = defineOperation({
  operationId: 'respondToHumanRequest',
  method: 'POST',
  path: '/v2/runs/{run_id}/human-requests/{request_id}/respond',
  tag,
  summary: 'Respond to a human request',
  description:
    'An approval takes `approved` and an optional `comment`, a question takes `answers` keyed by the text of each question.',
  owner,
  scope: 'approvals:write',
  params: idParams('run_id', 'request_id'),
  body: z.object({
    approved: z.boolean().optional(),
    comment: z.string().max(20_000).optional(),
    answers: answersSchema.optional(),
  }),
  status: 200,
  response: z.object({
    request_id: idSchema,
    status: humanRequestStatusSchema,
    human_request: humanRequestSchema,
  }),
});
