import { z } from 'zod';
import { defineEvent } from '../declarations/event.js';
import { idSchema } from '../schemas/common.js';

const count = z.int().min(0);

/** What the files of a team take together, as of now. */
export const storageMeasured = defineEvent({
  name: 'usage.storage',
  source: 'runs',
  visibility: 'internal',
  data: z.object({ bytes: count }),
  consumers: ['billing'],
});

/** What answers of a builder's model have used; its `meta` says how much. */
export const builderUsed = defineEvent({
  name: 'usage.builder',
  source: 'agents-and-revisions',
  visibility: 'internal',
  data: z.object({ builder_run_id: idSchema }),
  consumers: ['billing'],
});

/** What answers of the judge of a run have used; its `meta` says how much. */
export const judgeUsed = defineEvent({
  name: 'usage.judge',
  source: 'runs',
  visibility: 'internal',
  data: z.object({ run_id: idSchema }),
  consumers: ['billing'],
});

/** What answers of the model that makes an artifact's page have used; its `meta` says how much. */
export const artifactUsed = defineEvent({
  name: 'usage.artifact',
  source: 'runs',
  visibility: 'internal',
  data: z.object({ artifact_id: idSchema }),
  consumers: ['billing'],
});

/** Deliveries of a team that have succeeded since the last such event. */
export const deliveriesCounted = defineEvent({
  name: 'usage.webhook_deliveries',
  source: 'webhook-dispatcher',
  visibility: 'internal',
  data: z.object({ deliveries: count }),
  consumers: ['billing'],
});

/** Calls of the MCP endpoint by a team since the last such event of a gateway. */
export const mcpCallsCounted = defineEvent({
  name: 'usage.mcp_calls',
  source: 'gateway',
  visibility: 'internal',
  data: z.object({ calls: count }),
  consumers: ['billing'],
});
