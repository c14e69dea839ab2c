import { z } from 'zod';
import { defineInternalCall } from '../declarations/internal-call.js';
import { billingUsageSchema } from '../schemas/billing.js';
import { idSchema } from '../schemas/common.js';
import { runWorkers } from '../services.js';

const request = z.object({ team_id: idSchema });
const count = z.int().min(0);

/** How many agents a team has, and how many enabled schedules the agent with the most. */
export const countAgents = defineInternalCall({
  name: 'internal.countAgents',
  owner: 'agents-and-revisions',
  callers: ['billing'],
  request,
  response: z.object({ agents: count, schedules_per_agent: count }),
});

/** How many runs of a team are running, and how many queues it has. */
export const countRuns = defineInternalCall({
  name: 'internal.countRuns',
  owner: 'runs',
  callers: ['billing'],
  request,
  response: z.object({ concurrent_runs: count, queues: count }),
});

export const countWebhooks = defineInternalCall({
  name: 'internal.countWebhooks',
  owner: 'webhook-dispatcher',
  callers: ['billing'],
  request,
  response: z.object({ webhooks: count }),
});

/** Usage of a team in this calendar month. */
export const readUsage = defineInternalCall({
  name: 'internal.readUsage',
  owner: 'billing',
  callers: ['runs', runWorkers],
  request: z.object({ team_id: idSchema }),
  response: billingUsageSchema,
});

/** Whether the installation has more than one team. */
export const hasSeveralTeams = defineInternalCall({
  name: 'internal.hasSeveralTeams',
  owner: 'gateway',
  callers: ['connections'],
  request: z.object({}),
  response: z.object({ several: z.boolean() }),
});
