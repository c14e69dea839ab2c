import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { aliased } from '../../schemas/aliased.js';
import {
  boundedRecord,
  idParams,
  idSchema,
  pageQuery,
  queryBoolean,
  queryInteger,
  queryList,
  queryTimestamp,
  severitySchema,
  successSchema,
} from '../../schemas/common.js';
import { caseSchema } from '../../schemas/cases.js';
import { evaluationSchema } from './evaluations.js';
import { eventEnvelopeSchema } from '../../declarations/event.js';
import { runStreamEvents } from '../../events/runs.js';
import {
  copiedBuildSchema,
  humanRequestSchema,
  runMessageSchema,
  runSchema,
  runSourceSchema,
  runStatuses,
  runStatusSchema,
} from '../../schemas/runs.js';
import { webhookUrlSchema } from '../../schemas/webhooks.js';

const owner = 'runs';
const tag = 'Runs';
const lists = { default: 20, max: 100 };
const maxMessageLength = 200_000;
const maxMetadataEntries = 50;

const oneRun = z.object({ run_id: idSchema, status: runStatusSchema, run: runSchema });

/** Aliases that `status` accepts. */
export const runStatusGroups = {
  needs_attention: ['waiting', 'failed'],
  interrupted: ['stopped'],
  not_started: ['pending'],
  starting: ['pending'],
  in_progress: ['running'],
} as const satisfies Record<string, readonly (typeof runStatuses)[number][]>;

const runStatusNames = [
  ...runStatuses,
  ...(Object.keys(runStatusGroups) as (keyof typeof runStatusGroups)[]),
] as const;

const metadataSchema = boundedRecord(z.string().max(200), z.string().max(2000), { max: maxMetadataEntries });

export const startRun = defineOperation({
  operationId: 'startRun',
  method: 'POST',
  path: '/v2/teams/{teamId}/runs',
  tag,
  summary: 'Start a run of an agent',
  description:
    'Returns before any work is done, unless `wait_seconds` asks to wait until the run has ended or waits for a person.',
  owner,
  scope: 'runs:write',
  params: idParams('teamId'),
  body: aliased(
    { agentId: 'agent_id' },
    z.object({
      agent_id: idSchema,
      message: z.string().max(maxMessageLength).optional(),
      sandbox_id: idSchema.optional(),
      /** A revision other than the live one, to try a draft. */
      build_id: idSchema.optional(),
      metadata: metadataSchema.default({}),
      human_in_the_loop_enabled: z.boolean().default(true),
      wait_seconds: z.number().min(0).max(60).default(0),
      /** Told when the run starts, pauses, asks a person or ends. */
      webhook_url: webhookUrlSchema.optional(),
      callback_url: webhookUrlSchema.optional().meta({
        description: 'Another name of `webhook_url`, which wins where both are given',
      }),
    }),
  ),
  status: 201,
  idempotency: 'batched',
  waitsFor: 'run',
  response: oneRun,
});

export const listRuns = defineOperation({
  operationId: 'listRuns',
  method: 'GET',
  path: '/v2/teams/{teamId}/runs',
  tag,
  summary: 'List the runs of a team',
  owner,
  scope: 'runs:read',
  params: idParams('teamId'),
  query: z.object({
    status: queryList(z.enum(runStatusNames)),
    agent_id: idSchema.optional(),
    user_id: idSchema.optional(),
    case_id: idSchema.optional(),
    case_queue_id: idSchema.optional(),
    source: runSourceSchema.optional(),
    /** Part of the title, or of the title of the case. */
    search: z.string().min(1).max(200).optional(),
    since: queryTimestamp,
    until: queryTimestamp,
    has_issues: queryBoolean,
    issue_severity: severitySchema.optional(),
    count_only: queryBoolean,
    sort_by: z.enum(['created_at', 'started_at', 'completed_at']).default('created_at'),
    sort_order: z.enum(['asc', 'desc']).default('desc'),
    ...pageQuery(lists),
  }),
  status: 200,
  response: z.strictObject({ data: z.array(runSchema), total: z.int() }),
});

export const getRun = defineOperation({
  operationId: 'getRun',
  method: 'GET',
  path: '/v2/runs/{run_id}',
  tag,
  summary: 'Get a run',
  owner,
  scope: 'runs:read',
  params: idParams('run_id'),
  status: 200,
  response: oneRun.extend({ pending_human_request: humanRequestSchema.nullable() }),
});

export const listRunMessages = defineOperation({
  operationId: 'listRunMessages',
  method: 'GET',
  path: '/v2/runs/{run_id}/messages',
  tag,
  summary: 'List the messages of a run, oldest first',
  owner,
  scope: 'runs:read',
  params: idParams('run_id'),
  query: z.object(pageQuery({ default: 20, max: 50 })),
  status: 200,
  response: z.strictObject({
    messages: z.array(runMessageSchema),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
  }),
});

export const postRunMessage = defineOperation({
  operationId: 'postRunMessage',
  method: 'POST',
  path: '/v2/runs/{run_id}/messages',
  tag,
  summary: 'Send a message to a run',
  description:
    'A run at work sees it at its next turn. A run that waits for an answer goes on without it, and its question is cancelled; one that waits for an approval goes on waiting. An ended run is reopened.',
  owner,
  scope: 'runs:write',
  params: idParams('run_id'),
  body: z.object({ message: z.string().min(1).max(maxMessageLength) }),
  status: 201,
  response: z.object({ run_id: idSchema, status: runStatusSchema, message: runMessageSchema }),
});

export const stopRun = defineOperation({
  operationId: 'stopRun',
  method: 'POST',
  path: '/v2/runs/{run_id}/stop',
  tag,
  summary: 'Stop a run',
  description:
    'A model or tool call under way is aborted. On an ended run nothing happens. Stopping a run that waits for an approval cancels the approval, which needs the scope `approvals:write` too.',
  owner,
  scope: 'runs:write',
  params: idParams('run_id'),
  status: 200,
  repeatable: true,
  destructive: true,
  response: z.object({
    run_id: idSchema,
    status: runStatusSchema,
    success: z.literal(true),
    message: z.string().optional(),
  }),
});

export const deleteRun = defineOperation({
  operationId: 'deleteRun',
  method: 'DELETE',
  path: '/v2/runs/{run_id}',
  tag,
  summary: 'Delete a run that has ended',
  description:
    'With its messages, steps, events, files, human requests, replay and evaluation. What it used stays counted. Within a minute the `data` of its events is `{run_id, deleted: true}`, in the feed and in deliveries. Runs that it has started stay.',
  owner,
  scope: 'runs:write',
  params: idParams('run_id'),
  status: 200,
  response: successSchema,
});

export const getAgentRun = defineOperation({
  operationId: 'getAgentRun',
  method: 'GET',
  path: '/v2/agent/{agentId}/runs/{runId}',
  tag,
  summary: 'Get a run of an agent with its messages, files and evaluation',
  description:
    'Of human requests that are too large together the last are shown; listHumanRequests has them all.',
  owner,
  scope: 'runs:read',
  params: idParams('agentId', 'runId'),
  status: 200,
  response: oneRun.extend({
    pending_human_request: humanRequestSchema.nullable(),
    agent: z.object({ id: idSchema, agent_id: idSchema, name: z.string() }),
    build: copiedBuildSchema,
    human_requests: z.array(humanRequestSchema),
    files_total: z.int(),
    messages_total: z.int(),
    /** As it is now; null for a run without one, or whose case was deleted. */
    case: caseSchema.nullable(),
    evaluation: evaluationSchema.nullable(),
  }),
});

/** A stream: the owner answers a page after a number, the gateway turns pages into server-sent events. */
export const streamRunEvents = defineOperation({
  operationId: 'streamRunEvents',
  method: 'GET',
  path: '/v2/runs/{run_id}/events',
  tag,
  summary: 'Stream the events of a run',
  description:
    'Server-sent events; `id` is the number of the event within the run. `Last-Event-ID`, or `after`, resumes; an `id` without data tells at first where the stream begins. Ends when the run has ended.',
  owner,
  scope: 'runs:read',
  params: idParams('run_id'),
  query: z.object({ after: queryInteger({ max: 2 ** 31 - 1, default: 0 }) }),
  status: 200,
  kind: 'stream',
  streams: { of: 'run', item: 'RunEvent', events: runStreamEvents },
  response: z.object({
    events: z.array(eventEnvelopeSchema.extend({ seq: z.int() })),
    /** Whether there were no further events when these were read. */
    complete: z.boolean(),
    /** Whether the run had ended and these were its last events. */
    ended: z.boolean(),
  }),
});
