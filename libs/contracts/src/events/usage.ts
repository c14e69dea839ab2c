import { z } from 'zod';
import { defineEvent } from '../declarations/event.js';
import { idSchema } from '../schemas/common.js';

const count = z.int().min(0);

/** The bytes that a team stores now. */
export const storageMeasured = defineEvent({
  name: 'usage.storage',
  source: 'runs',
  visibility: 'internal',
  data: z.object({ bytes: count }),
  consumers: ['billing'],
});

/** Usage of a builder's model; `meta` has the amounts. */
export const builderUsed = defineEvent({
  name: 'usage.builder',
  source: 'agents-and-revisions',
  visibility: 'internal',
  data: z.object({ builder_run_id: idSchema }),
  consumers: ['billing'],
});

/** Usage of the judge of a run; `meta` has the amounts. */
export const judgeUsed = defineEvent({
  name: 'usage.judge',
  source: 'runs',
  visibility: 'internal',
  data: z.object({ run_id: idSchema }),
  consumers: ['billing'],
});

/** Usage of the model that generates an artifact; `meta` has the amounts. */
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
