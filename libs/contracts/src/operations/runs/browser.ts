import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { idParams, idSchema, timestampSchema } from '../../schemas/common.js';
import { named } from '../../schemas/named.js';

const owner = 'runs';
const tag = 'Runs';

export const browserActions = ['open', 'click', 'type', 'read', 'screenshot'] as const;

export const browserActionSchema = named('BrowserAction', z.enum(browserActions));

const pageSchema = named(
  'BrowserPage',
  z.object({
    page_id: idSchema,
    url: z.string(),
    title: z.string(),
    opened_at: timestampSchema,
    closed_at: timestampSchema.nullable(),
  }),
);

const screenshotSchema = named(
  'BrowserScreenshot',
  z.object({
    id: idSchema,
    session_id: idSchema,
    page_id: idSchema,
    url: z.string(),
    title: z.string(),
    action: browserActionSchema,
    captured_at: timestampSchema,
    width: z.int(),
    height: z.int(),
    file_path: z.string(),
    download_url: z.string(),
  }),
);

export const listBrowserSessionPages = defineOperation({
  operationId: 'listBrowserSessionPages',
  method: 'GET',
  path: '/v2/browser-agent/session/{session_id}/pages',
  tag,
  summary: 'List the pages that a browser session opened',
  owner,
  scope: 'runs:read',
  params: idParams('session_id'),
  status: 200,
  response: z.object({ session_id: idSchema, run_id: idSchema, pages: z.array(pageSchema) }),
});

const timeline = {
  method: 'GET',
  tag,
  summary: 'Get the browser screenshots of a run, action by action',
  owner,
  scope: 'runs:read',
  status: 200,
  response: z.object({ run_id: idSchema, screenshots: z.array(screenshotSchema), total: z.int() }),
} as const;

export const getRunScreenshotTimeline = defineOperation({
  ...timeline,
  operationId: 'getRunScreenshotTimeline',
  path: '/v2/agent-runs/{run_id}/screenshots/timeline',
  params: idParams('run_id'),
});

export const getAgentRunScreenshotTimeline = defineOperation({
  ...timeline,
  operationId: 'getAgentRunScreenshotTimeline',
  path: '/v2/agents/{agent_id}/runs/{run_id}/screenshots/timeline',
  params: idParams('agent_id', 'run_id'),
});
