import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { sandboxFileSchema, storedFileSchema } from '../../schemas/files.js';

const owner = 'gateway';
const tag = 'Files';

/** A path of 1,024 bytes that are all escaped makes a token of 3,000 characters. */
export const maxLinkTokenLength = 4096;

/** Whatever is no good token names nothing. */
const tokenParams = z.object({ token: z.string().min(1).max(maxLinkTokenLength) });

export const uploadFile = defineOperation({
  operationId: 'uploadFile',
  method: 'PUT',
  path: '/v2/uploads/{token}',
  tag,
  summary: 'Upload a file to a signed URL',
  description: 'The body is the file, with any Content-Type; at most 100 MiB. It replaces what was there.',
  owner,
  scope: 'sandboxes:write',
  access: 'link',
  params: tokenParams,
  takes: 'bytes',
  status: 200,
  idempotency: 'leased',
  response: z.object({ path: z.string(), file: sandboxFileSchema }),
});

/** The owner answers where the bytes are, the gateway sends them. */
export const downloadFile = defineOperation({
  operationId: 'downloadFile',
  method: 'GET',
  path: '/v2/downloads/{token}',
  tag,
  summary: 'Download a file from a signed URL',
  description: '`Range` asks for a part of it.',
  owner,
  scope: 'files:read',
  access: 'link',
  params: tokenParams,
  status: 200,
  kind: 'binary',
  response: storedFileSchema,
});
