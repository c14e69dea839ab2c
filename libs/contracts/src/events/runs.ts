import { z } from 'zod';
import { defineEvent, type EventDefinition } from '../declarations/event.js';
import { idSchema } from '../schemas/common.js';
import { named } from '../schemas/named.js';
import { answersSchema } from '../schemas/questions.js';
import {
  humanRequestStatusSchema,
  humanRequestTypeSchema,
  messageRoleSchema,
  messageTypeSchema,
  runErrorSchema,
  runSourceSchema,
  runStatusSchema,
} from '../schemas/runs.js';
import { exampleIds } from './examples.js';

const source = 'runs';

const runFacts = named(
  'RunFacts',
  z.object({
    run_id: idSchema,
    status: runStatusSchema,
    agent_id: idSchema,
    build_id: idSchema,
    team_id: idSchema,
    source: runSourceSchema,
    case_id: idSchema.optional(),
    result: z.string().optional(),
    error: runErrorSchema.optional(),
  }),
);

export type RunFacts = z.output<typeof runFacts>;

const exampleRun = {
  run_id: exampleIds.run,
  agent_id: exampleIds.agent,
  build_id: exampleIds.build,
  team_id: exampleIds.team,
  source: 'api',
} as const;

/** The first time that a worker takes the run. */
export const runStarted = defineEvent({
  name: 'run.started',
  source,
  visibility: 'public',
  data: runFacts,
  consumers: ['agents-and-revisions', 'billing'],
  callback: true,
  example: { ...exampleRun, status: 'running' },
});

/** It waits for a person. */
export const runPaused = defineEvent({
  name: 'run.paused',
  source,
  visibility: 'public',
  data: runFacts,
  consumers: ['billing'],
  callback: true,
  example: { ...exampleRun, status: 'waiting' },
});

/** Completed or stopped, as its status says. */
export const runCompleted = defineEvent({
  name: 'run.completed',
  source,
  visibility: 'public',
  data: runFacts,
  consumers: ['billing'],
  callback: true,
  example: { ...exampleRun, status: 'completed', result: 'All mails are answered.' },
});

export const runFailed = defineEvent({
  name: 'run.failed',
  source,
  visibility: 'public',
  data: runFacts,
  consumers: ['billing'],
  callback: true,
  example: {
    ...exampleRun,
    status: 'failed',
    error: { code: 'model_error', message: 'The model did not answer.' },
  },
});

export const runMessageCreated = defineEvent({
  name: 'run.message.created',
  source,
  visibility: 'public',
  data: z.object({
    run_id: idSchema,
    message_id: idSchema,
    role: messageRoleSchema,
    type: messageTypeSchema,
  }),
  consumers: ['billing'],
  example: { run_id: exampleIds.run, message_id: exampleIds.message, role: 'assistant', type: 'text' },
});

export const runToolCallCompleted = defineEvent({
  name: 'run.tool_call.completed',
  source,
  visibility: 'public',
  data: z.object({
    run_id: idSchema,
    tool_call_id: z.string(),
    name: z.string(),
    ok: z.boolean(),
    duration_ms: z.int(),
    error: z.string().optional(),
  }),
  consumers: ['billing'],
  example: {
    run_id: exampleIds.run,
    tool_call_id: 'call_1',
    name: 'http_request',
    ok: true,
    duration_ms: 120,
  },
});

export const runFileCreated = defineEvent({
  name: 'run.file.created',
  source,
  visibility: 'public',
  data: z.object({ run_id: idSchema, path: z.string(), size_bytes: z.int() }),
  consumers: [],
  example: { run_id: exampleIds.run, path: '/workspace/report.pdf', size_bytes: 48_213 },
});

const humanRequestFacts = named(
  'HumanRequestFacts',
  z.object({
    run_id: idSchema,
    request_id: idSchema,
    type: humanRequestTypeSchema,
    title: z.string(),
  }),
);

const exampleRequest = {
  run_id: exampleIds.run,
  request_id: exampleIds.request,
  type: 'approval',
  title: 'Shall I send the refund?',
} as const;

export const humanRequestCreated = defineEvent({
  name: 'human_request.created',
  source,
  visibility: 'public',
  data: humanRequestFacts,
  consumers: ['billing'],
  callback: true,
  example: exampleRequest,
});

/** Once, when it is settled: answered, cancelled or expired. */
export const humanRequestResponded = defineEvent({
  name: 'human_request.responded',
  source,
  visibility: 'public',
  data: humanRequestFacts.extend({
    status: humanRequestStatusSchema,
    approved: z.boolean().optional(),
    answers: answersSchema.optional(),
  }),
  consumers: [],
  example: { ...exampleRequest, status: 'answered', approved: true },
});

export const runStreamEvents: readonly EventDefinition[] = [
  runStarted,
  runPaused,
  runCompleted,
  runFailed,
  runMessageCreated,
  runToolCallCompleted,
  runFileCreated,
  humanRequestCreated,
  humanRequestResponded,
];

/** With everything that belongs to it. What its events have said goes, too. */
export const runDeleted = defineEvent({
  name: 'run.deleted',
  source,
  visibility: 'internal',
  data: z.object({ run_id: idSchema }),
  consumers: ['webhook-dispatcher'],
});

/** How the run that a schedule has started ended for the first time, or that it could not be started. */
export const scheduledRunEnded = defineEvent({
  name: 'schedule.run_ended',
  source,
  visibility: 'internal',
  data: z.object({
    schedule_id: idSchema,
    run_id: idSchema,
    ok: z.boolean(),
    reason: z.string().optional(),
    /** It was not started because the team may start no more; that does not count as a failure. */
    skipped: z.literal(true).optional(),
  }),
  consumers: ['agents-and-revisions'],
});

/** Usage of a run that no other event carries; `meta` has the amounts. */
export const runUsed = defineEvent({
  name: 'run.used',
  source,
  visibility: 'internal',
  data: z.object({ run_id: idSchema }),
  consumers: ['billing'],
});
