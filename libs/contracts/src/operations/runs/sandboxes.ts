import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { idParams, idSchema, secret, timestampSchema } from '../../schemas/common.js';
import {
  fileContentSchema,
  filePathQuery,
  filePathSchema,
  sandboxFileSchema,
  sandboxFilesSchema,
} from '../../schemas/files.js';

const owner = 'runs';
const tag = 'Sandboxes';
const files = '/v2/sandboxes/{id}/files';

export const createSandbox = defineOperation({
  operationId: 'createSandbox',
  method: 'POST',
  path: '/v2/sandboxes',
  tag,
  summary: 'Create a sandbox that a run will use',
  description:
    'A sandbox that no run uses is gone after 24 hours; else it lives as long as its runs. ' +
    'A team makes or uses at most 10,000 in 24 hours.',
  owner,
  scope: 'sandboxes:write',
  status: 201,
  response: z.object({ sandbox_id: idSchema, expires_at: timestampSchema }),
});

export const createSandboxUploadUrl = defineOperation({
  operationId: 'createSandboxUploadUrl',
  method: 'POST',
  path: '/v2/sandboxes/{id}/upload-urls',
  tag,
  summary: 'Create a URL for the upload of one file',
  description:
    'PUT the bytes there, without a credential, with any Content-Type; at most 100 MiB. ' +
    'What is sent counts as a request of the credential that asked for the address.',
  owner,
  scope: 'sandboxes:write',
  params: idParams('id'),
  body: z.object({ path: filePathSchema }),
  status: 200,
  // A client with the address may write, on the account of the credential that asked for it.
  response: z.object({ upload_url: secret(z.string()), path: z.string(), expires_in_seconds: z.int() }),
});

export const listSandboxFiles = defineOperation({
  operationId: 'listSandboxFiles',
  method: 'GET',
  path: files,
  tag,
  summary: 'List the files in a folder of a sandbox',
  owner,
  scope: 'files:read',
  params: idParams('id'),
  query: filePathQuery,
  status: 200,
  response: sandboxFilesSchema,
});

export const getSandboxFileContent = defineOperation({
  operationId: 'getSandboxFileContent',
  method: 'GET',
  path: `${files}/content`,
  tag,
  summary: 'Download a file of a sandbox',
  description: 'Without `path` the file that was changed last.',
  owner: 'gateway',
  scope: 'files:read',
  params: idParams('id'),
  query: filePathQuery,
  status: 200,
  response: fileContentSchema,
});

export const uploadSandboxFile = defineOperation({
  operationId: 'uploadSandboxFile',
  method: 'POST',
  path: files,
  tag,
  summary: 'Upload a file to a sandbox',
  description: 'A form with `file`, at most 10 MiB, and `path`; without it the name of the file is used.',
  owner,
  scope: 'sandboxes:write',
  params: idParams('id'),
  body: z.object({ path: filePathSchema.optional() }),
  takes: 'form',
  status: 201,
  response: z.object({ path: z.string(), size_bytes: z.int(), file: sandboxFileSchema }),
});
