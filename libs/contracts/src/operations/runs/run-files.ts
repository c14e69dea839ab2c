import { defineOperation } from '../../declarations/operation.js';
import { idParams } from '../../schemas/common.js';
import { fileContentSchema, filePathQuery, sandboxFilesSchema } from '../../schemas/files.js';

const tag = 'Runs';
const ofAgent = '/v2/agents/{agent_id}/runs/{run_id}/sandbox/files';
const ofRun = '/v2/runs/{run_id}/sandbox/files';

const list = {
  method: 'GET',
  tag,
  summary: "List the files in a folder of a run's sandbox",
  owner: 'runs',
  scope: 'files:read',
  query: filePathQuery,
  status: 200,
  response: sandboxFilesSchema,
} as const;

const read = {
  ...list,
  summary: "Download a file of a run's sandbox",
  description: 'Without `path` the file that was changed last.',
  owner: 'gateway',
  response: fileContentSchema,
} as const;

export const listRunSandboxFiles = defineOperation({
  ...list,
  operationId: 'listRunSandboxFiles',
  path: ofAgent,
  params: idParams('agent_id', 'run_id'),
});

export const getRunSandboxFileContent = defineOperation({
  ...read,
  operationId: 'getRunSandboxFileContent',
  path: `${ofAgent}/content`,
  params: idParams('agent_id', 'run_id'),
});

export const listRunSandboxFilesByRun = defineOperation({
  ...list,
  operationId: 'listRunSandboxFilesByRun',
  path: ofRun,
  params: idParams('run_id'),
});

export const getRunSandboxFileContentByRun = defineOperation({
  ...read,
  operationId: 'getRunSandboxFileContentByRun',
  path: `${ofRun}/content`,
  params: idParams('run_id'),
});
