import { z } from 'zod';
import { defineInternalCall } from '../declarations/internal-call.js';
import { idSchema } from '../schemas/common.js';

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
