import { z } from 'zod';
import { defineEvent } from '../event.js';

const count = z.int().min(0);

/** What the files of a team take together, as of now. */
export const storageMeasured = defineEvent({
  name: 'usage.storage',
  source: 'runs',
  visibility: 'internal',
  data: z.object({ bytes: count }),
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
