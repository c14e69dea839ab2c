import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { exportStateSchema } from '../../schemas/cases.js';
import { idParams } from '../../schemas/common.js';
import { caseListQuery } from './cases.js';

const owner = 'runs';
const tag = 'Queues';
const ofQueue = '/v2/queues/{queue_id}/cases';

export const maxImportBytes = 64 * 1024 * 1024;
export const maxImportRows = 100_000;

export const importFormats = ['text/csv', 'application/x-ndjson'] as const;

export const importCases = defineOperation({
  operationId: 'importCases',
  method: 'POST',
  path: `${ofQueue}/import`,
  tag,
  summary: 'Import cases from a file',
  description:
    'CSV with a header (`title`, `priority`, `postponed_to`, `label:<key>`; every other column goes into `data`), or one ' +
    'JSON object a line. At most 64 MiB, 100,000 rows and, in CSV, 500 columns for labels and data. Rows that are wrong ' +
    'are left out; the first 100 are named. With an Idempotency-Key an import that was cut off goes on where it was.',
  owner,
  scope: 'queues:write',
  params: idParams('queue_id'),
  /** Said by the header of the request. */
  body: z.object({ content_type: z.enum(importFormats).optional() }),
  takes: 'rows',
  status: 200,
  idempotency: 'batched',
  timeoutMs: 300_000,
  response: z.object({
    accepted: z.int(),
    rejected: z.int(),
    errors: z.array(z.object({ line: z.int(), message: z.string() })),
  }),
});

/** Text: the owner answers a page, the gateway asks for the next ones and sends them on as they come. */
export const exportCases = defineOperation({
  operationId: 'exportCases',
  method: 'GET',
  path: `${ofQueue}/export`,
  tag,
  summary: 'Export the cases of a queue as a file, oldest first',
  description:
    'CSV has the columns that importCases takes; what a spreadsheet would take for a formula begins with a quote. ' +
    'NDJSON has all that is known of a case.',
  owner,
  scope: 'queues:read',
  params: idParams('queue_id'),
  query: z.object({ format: z.enum(['csv', 'ndjson']).default('csv'), ...caseListQuery }),
  status: 200,
  kind: 'rows',
  timeoutMs: 60_000,
  response: z.object({ text: z.string(), next: exportStateSchema.nullable() }),
});
