import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import {
  artifactMessageSchema,
  artifactMessageTextSchema,
  artifactPermissionSchema,
  artifactRefreshFrequencySchema,
  artifactSchema,
  artifactStatusSchema,
  artifactTitleSchema,
  artifactVisibilitySchema,
  maxArtifactConnections,
} from '../../schemas/artifacts.js';
import { modelSchema } from '../../schemas/build-config.js';
import {
  boundedList,
  idParams,
  idSchema,
  listOf,
  pageQuery,
  queryList,
  successSchema,
} from '../../schemas/common.js';
import { answersSchema } from '../../schemas/questions.js';

const owner = 'runs';
const tag = 'Artifacts';
const read = 'artifacts:read';
const write = 'artifacts:write';
const all = '/v2/artifacts';
const one = `${all}/{artifactId}`;
const params = idParams('artifactId');

/** The fields of the artifact are beside it, too: other platforms answer it bare. */
export const oneArtifact = artifactSchema.extend({ artifact: artifactSchema });

/** Replaces the connections that the artifact has. */
const connectionIds = boundedList(idSchema, { max: maxArtifactConnections });

const message = artifactMessageTextSchema;

export const createArtifact = defineOperation({
  operationId: 'createArtifact',
  method: 'POST',
  path: all,
  tag,
  summary: 'Create an artifact',
  description:
    'The message says what it is to show. It is made by a job from the figures of the team and the connections that the artifact has; `status` tells how far it is.',
  owner,
  scope: write,
  body: z.object({
    message,
    title: artifactTitleSchema.optional(),
    visibility: artifactVisibilitySchema.default('private'),
    refresh_frequency: artifactRefreshFrequencySchema.optional(),
    model: modelSchema.optional(),
    connection_ids: connectionIds.optional(),
  }),
  status: 201,
  idempotency: 'leased',
  response: oneArtifact,
});

export const listArtifacts = defineOperation({
  operationId: 'listArtifacts',
  method: 'GET',
  path: all,
  tag,
  summary: 'List the artifacts visible to the credential, newest first',
  owner,
  scope: read,
  query: z.object({
    status: queryList(artifactStatusSchema),
    visibility: queryList(artifactVisibilitySchema),
    search: z.string().max(200).optional(),
    ...pageQuery({ default: 20, max: 100 }),
  }),
  status: 200,
  response: listOf('artifacts', artifactSchema),
});

export const getArtifact = defineOperation({
  operationId: 'getArtifact',
  method: 'GET',
  path: one,
  tag,
  summary: 'Get an artifact',
  owner,
  scope: read,
  params,
  status: 200,
  response: oneArtifact,
});

export const updateArtifact = defineOperation({
  operationId: 'updateArtifact',
  method: 'PATCH',
  path: one,
  tag,
  summary: 'Update the title, visibility, model, refresh schedule or connections of an artifact',
  description:
    'Whatever was public and no longer is has lost its address for good. `connection_ids` replaces all connections.',
  owner,
  scope: write,
  params,
  body: z.object({
    title: artifactTitleSchema.nullish(),
    visibility: artifactVisibilitySchema.optional(),
    refresh_frequency: artifactRefreshFrequencySchema.nullish(),
    model: modelSchema.optional(),
    connection_ids: connectionIds.optional(),
  }),
  status: 200,
  idempotency: 'leased',
  response: artifactSchema,
});

export const deleteArtifact = defineOperation({
  operationId: 'deleteArtifact',
  method: 'DELETE',
  path: one,
  tag,
  summary: 'Delete an artifact with its messages and revisions',
  owner,
  scope: write,
  params,
  status: 200,
  response: successSchema,
});

export const listArtifactMessages = defineOperation({
  operationId: 'listArtifactMessages',
  method: 'GET',
  path: `${one}/messages`,
  tag,
  summary: 'List the messages of an artifact, oldest first',
  owner,
  scope: read,
  params,
  query: z.object(pageQuery()),
  status: 200,
  response: listOf('messages', artifactMessageSchema),
});

export const postArtifactMessage = defineOperation({
  operationId: 'postArtifactMessage',
  method: 'POST',
  path: `${one}/messages`,
  tag,
  summary: 'Request a change of an artifact',
  description: 'It makes a new revision that builds on the current page. A busy artifact answers 409.',
  owner,
  scope: write,
  params,
  body: z.object({ message }),
  status: 201,
  response: oneArtifact.extend({ message: artifactMessageSchema }),
});

export const refreshArtifact = defineOperation({
  operationId: 'refreshArtifact',
  method: 'POST',
  path: `${one}/refresh`,
  tag,
  summary: 'Regenerate an artifact with current data',
  owner,
  scope: write,
  params,
  status: 200,
  response: oneArtifact,
});

export const answerArtifact = defineOperation({
  operationId: 'answerArtifact',
  method: 'POST',
  path: `${one}/answer`,
  tag,
  summary: 'Answer the questions of a waiting artifact',
  owner,
  scope: write,
  params,
  body: z.object({ answers: answersSchema.default({}) }),
  status: 200,
  response: oneArtifact,
});

export const stopArtifact = defineOperation({
  operationId: 'stopArtifact',
  method: 'POST',
  path: `${one}/stop`,
  tag,
  summary: 'Stop the generation of an artifact',
  description: 'The page that was there stays. One that is not busy is left as it is.',
  owner,
  scope: write,
  params,
  status: 200,
  response: oneArtifact,
});

export const publishArtifact = defineOperation({
  operationId: 'publishArtifact',
  method: 'POST',
  path: `${one}/publish`,
  tag,
  summary: 'Publish an artifact to its team or to a public URL',
  description:
    'Only `visibility: public` gives an address that needs no credential; it cannot be guessed, and without a page it is 409. Without a body the artifact is shared with its team. Any visibility but `public` makes an address that was given out useless for good.',
  owner,
  scope: write,
  params,
  body: z.object({
    visibility: artifactVisibilitySchema.default('team'),
    permission: artifactPermissionSchema.default('view'),
  }),
  status: 200,
  repeatable: true,
  response: oneArtifact,
});

export const duplicateArtifact = defineOperation({
  operationId: 'duplicateArtifact',
  method: 'POST',
  path: `${one}/duplicate`,
  tag,
  summary: 'Copy an artifact with its current page, messages and connections',
  description: 'The copy is private, belongs to the credential that asked, and is not refreshed by itself.',
  owner,
  scope: write,
  params,
  body: z.object({ title: artifactTitleSchema.optional() }),
  status: 201,
  response: oneArtifact,
});
