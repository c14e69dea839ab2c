import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { artifactPageSchema, artifactRevisionSchema } from '../../schemas/artifacts.js';
import { idParams, listOf, pageQuery } from '../../schemas/common.js';
import { handedFileSchema } from '../../schemas/files.js';
import { oneArtifact } from './artifacts.js';

const owner = 'runs';
const tag = 'Artifacts';
const read = 'artifacts:read';
const write = 'artifacts:write';
const one = '/v2/artifacts/{artifactId}';
const params = idParams('artifactId');

const page = {
  method: 'GET',
  tag,
  owner,
  status: 200,
  kind: 'document',
  response: artifactPageSchema,
} as const;

export const renderArtifact = defineOperation({
  ...page,
  operationId: 'renderArtifact',
  path: `${one}/render`,
  summary: 'Render the current page',
  description: 'It runs no script, reaches no network and cannot leave its frame.',
  scope: read,
  params,
});

export const exportArtifactHtml = defineOperation({
  ...page,
  operationId: 'exportArtifactHtml',
  path: `${one}/export/html`,
  summary: 'Download the current page as HTML',
  scope: read,
  params,
});

/** The owner answers where the bytes are, the gateway sends them. */
export const exportArtifactPdf = defineOperation({
  operationId: 'exportArtifactPdf',
  method: 'GET',
  path: `${one}/export/pdf`,
  tag,
  summary: 'Download the current page as PDF',
  description: 'Printed by Chromium; where none is installed 409 `not_configured`.',
  owner,
  scope: read,
  params,
  status: 200,
  kind: 'binary',
  headFrom: { operation: renderArtifact, contentType: 'application/pdf' },
  timeoutMs: 60_000,
  response: handedFileSchema,
});

export const listArtifactRevisions = defineOperation({
  operationId: 'listArtifactRevisions',
  method: 'GET',
  path: `${one}/revisions`,
  tag,
  summary: 'List the revisions of an artifact, newest first',
  owner,
  scope: read,
  params,
  query: z.object(pageQuery({ default: 20, max: 100 })),
  status: 200,
  response: listOf('revisions', artifactRevisionSchema),
});

const revision = idParams('artifactId', 'revisionId');

export const renderArtifactRevision = defineOperation({
  ...page,
  operationId: 'renderArtifactRevision',
  path: `${one}/revisions/{revisionId}/render`,
  summary: 'Render the page of a revision',
  scope: read,
  params: revision,
});

export const restoreArtifactRevision = defineOperation({
  operationId: 'restoreArtifactRevision',
  method: 'POST',
  path: `${one}/revisions/{revisionId}/restore`,
  tag,
  summary: 'Restore an earlier revision of an artifact',
  description: 'As a new revision: what came since stays. A busy artifact answers 409.',
  owner,
  scope: write,
  params: revision,
  status: 200,
  response: oneArtifact.extend({ revision: artifactRevisionSchema }),
});

/** As long as the secret in the address. */
export const publicTokenLength = 43;

export const viewPublicArtifact = defineOperation({
  ...page,
  operationId: 'viewPublicArtifact',
  path: '/v2/public/artifacts/{token}',
  summary: 'View the page of a published artifact',
  scope: read,
  access: 'open',
  params: z.object({ token: z.string().length(publicTokenLength) }),
});
