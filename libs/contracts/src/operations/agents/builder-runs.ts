import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { idParams, idSchema, timestampSchema } from '../../schemas/common.js';
import { buildConfigSchema } from '../../schemas/build-config.js';
import { answersSchema, questionSchema } from '../../schemas/questions.js';
import { oneBuild } from './revisions.js';
import { named } from '../../schemas/named.js';

const owner = 'agents-and-revisions';
const tag = 'Builder runs';

export const builderRunStatuses = [
  'pending',
  'running',
  'waiting',
  'awaiting_review',
  'completed',
  'discarded',
  'failed',
] as const;

export const builderRunStatusSchema = named('BuilderRunStatus', z.enum(builderRunStatuses));

export const builderRunSchema = named(
  'BuilderRun',
  z.object({
    id: idSchema,
    builder_run_id: idSchema,
    build_id: idSchema,
    agent_id: idSchema,
    status: builderRunStatusSchema,
    prompt: z.string(),
    progress: z.object({ phase: z.string(), percent: z.int() }),
    pending_user_questions: z.object({ questions: z.array(questionSchema) }).nullable(),
    checkpoint_config: buildConfigSchema,
    proposed_config: buildConfigSchema.nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    created_at: timestampSchema,
    started_at: timestampSchema.nullable(),
    completed_at: timestampSchema.nullable(),
  }),
);

const oneBuilderRun = z.object({
  builder_run_id: idSchema,
  status: builderRunStatusSchema,
  builder_run: builderRunSchema,
});

export const generateRevision = defineOperation({
  operationId: 'generateRevision',
  method: 'POST',
  path: '/v2/revisions/{build_id}/generate',
  tag,
  summary: 'Generate an operating procedure for a revision',
  owner,
  scope: 'agents:write',
  params: idParams('build_id'),
  body: z.object({ prompt: z.string().trim().min(1).max(20_000).default('Improve the present procedure.') }),
  status: 202,
  response: oneBuilderRun,
});

export const getRevisionBuilderRun = defineOperation({
  operationId: 'getRevisionBuilderRun',
  method: 'GET',
  path: '/v2/revisions/{build_id}/builder-run',
  tag,
  summary: 'Get the latest builder run of a revision',
  owner,
  scope: 'agents:read',
  params: idParams('build_id'),
  status: 200,
  response: oneBuilderRun,
});

export const getBuilderRunStatus = defineOperation({
  operationId: 'getBuilderRunStatus',
  method: 'GET',
  path: '/v2/builder-runs/{builder_run_id}/status',
  tag,
  summary: 'Get a builder run',
  owner,
  scope: 'agents:read',
  params: idParams('builder_run_id'),
  status: 200,
  response: oneBuilderRun,
});

export const resumeBuilderRun = defineOperation({
  operationId: 'resumeBuilderRun',
  method: 'POST',
  path: '/v2/builder-runs/{builder_run_id}/resume',
  tag,
  summary: 'Answer the clarifying questions of a builder run',
  owner,
  scope: 'agents:write',
  params: idParams('builder_run_id'),
  body: z.object({ answers: answersSchema.default({}) }),
  status: 200,
  response: oneBuilderRun,
});

export const acceptRevision = defineOperation({
  operationId: 'acceptRevision',
  method: 'POST',
  path: '/v2/revisions/{build_id}/accept',
  tag,
  summary: 'Accept the proposal of the latest builder run',
  description:
    'A draft takes the proposal as its config; a live or historic revision gets a new draft child.',
  owner,
  scope: 'agents:write',
  params: idParams('build_id'),
  status: 200,
  response: oneBuild.extend({ builder_run: builderRunSchema }),
});

export const discardRevision = defineOperation({
  operationId: 'discardRevision',
  method: 'POST',
  path: '/v2/revisions/{build_id}/discard',
  tag,
  summary: 'Discard the proposal of the latest builder run',
  owner,
  scope: 'agents:write',
  params: idParams('build_id'),
  status: 200,
  destructive: true,
  response: oneBuild.extend({ builder_run: builderRunSchema }),
});
