import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import {
  idParams,
  idSchema,
  listOf,
  pageQuery,
  successSchema,
  timestampSchema,
} from '../../schemas/common.js';
import { connectionStatusSchema, connectionTypeSchema } from '../../schemas/connections.js';
import { named } from '../../schemas/named.js';

const owner = 'runs';
const tag = 'Artifacts';
const read = 'artifacts:read';
const write = 'artifacts:write';
const one = '/v2/artifacts/{artifactId}';
const params = idParams('artifactId');

/** A connection whose tools the artifact may read with. Name, type and status are null when it is gone. */
export const artifactConnectionSchema = named(
  'ArtifactConnection',
  z.object({
    connection_id: idSchema,
    artifact_id: idSchema,
    name: z.string().nullable(),
    type: connectionTypeSchema.nullable(),
    status: connectionStatusSchema.nullable(),
    created_at: timestampSchema,
  }),
);

export const listArtifactConnections = defineOperation({
  operationId: 'listArtifactConnections',
  method: 'GET',
  path: `${one}/connections`,
  tag,
  summary: 'List the connections that an artifact may read',
  owner,
  scope: read,
  params,
  query: z.object(pageQuery({ default: 20, max: 100 })),
  status: 200,
  response: listOf('connections', artifactConnectionSchema),
});

export const addArtifactConnection = defineOperation({
  operationId: 'addArtifactConnection',
  method: 'POST',
  path: `${one}/connections`,
  tag,
  summary: 'Grant an artifact read access to a connection',
  description:
    'The next page that is made may use it. Only what reads is called, never what changes something.',
  owner,
  scope: write,
  params,
  body: z.object({ connection_id: idSchema }),
  status: 201,
  idempotency: 'leased',
  response: z.object({ connection_id: idSchema, connection: artifactConnectionSchema }),
});

export const removeArtifactConnection = defineOperation({
  operationId: 'removeArtifactConnection',
  method: 'DELETE',
  path: `${one}/connections/{connectionId}`,
  tag,
  summary: "Revoke an artifact's access to a connection",
  owner,
  scope: write,
  params: idParams('artifactId', 'connectionId'),
  status: 200,
  response: successSchema,
});
