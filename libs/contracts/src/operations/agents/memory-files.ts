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
import { named } from '../../schemas/named.js';

const owner = 'agents-and-revisions';
const tag = 'Memory';
const path = '/v2/agents/{agent_id}/memory/files/{path}';

export const memoryFileSchema = named(
  'MemoryFile',
  z.object({
    name: z.string(),
    path: z.string(),
    size_bytes: z.int(),
    updated_at: timestampSchema,
    /** Grows with each write to the memory of the agent, from 1; no number is used again. */
    generation: z.int().min(1),
    source_type: z.enum(['run', 'user']),
    source_run_id: idSchema.nullable(),
    /** The same as `source_run_id`. */
    source_agent_run_id: idSchema.nullable(),
    /** The credential that wrote it; null for a run, and where it was not kept yet. */
    source_user_id: idSchema.nullable(),
    /** The same as `updated_at`. */
    source_updated_at: timestampSchema,
  }),
);

const memoryFileContentSchema = named('MemoryFileContent', memoryFileSchema.extend({ content: z.string() }));

/** A relative path with slashes; what it may name is decided by the service, and anything else does not exist. */
const fileParams = idParams('agent_id').extend({ path: z.string().min(1).max(1024) });

export const listAgentMemoryFiles = defineOperation({
  operationId: 'listAgentMemoryFiles',
  method: 'GET',
  path: '/v2/agents/{agent_id}/memory/files',
  tag,
  summary: 'List the memory files of an agent',
  owner,
  scope: 'agents:read',
  params: idParams('agent_id'),
  query: z.object({ ...pageQuery() }),
  status: 200,
  response: listOf('files', memoryFileSchema),
});

export const getAgentMemoryFile = defineOperation({
  operationId: 'getAgentMemoryFile',
  method: 'GET',
  path,
  tag,
  summary: 'Get a memory file',
  owner,
  scope: 'agents:read',
  params: fileParams,
  status: 200,
  response: memoryFileContentSchema,
});

export const putAgentMemoryFile = defineOperation({
  operationId: 'putAgentMemoryFile',
  method: 'PUT',
  path,
  tag,
  summary: 'Write a memory file',
  owner,
  scope: 'agents:write',
  params: fileParams,
  body: z.object({ content: z.string() }),
  status: 200,
  response: memoryFileContentSchema,
});

export const deleteAgentMemoryFile = defineOperation({
  operationId: 'deleteAgentMemoryFile',
  method: 'DELETE',
  path,
  tag,
  summary: 'Delete a memory file',
  owner,
  scope: 'agents:write',
  params: fileParams,
  status: 200,
  response: successSchema,
});
