import { z } from 'zod';
import { defineInternalCall } from '../declarations/internal-call.js';
import { idSchema } from '../schemas/common.js';

/** As many agents of a team are offered as tools of their own. */
export const maxAgentTools = 1000;

/** What the agents of a team are called, oldest first, so that one more changes no other's place. */
export const listAgentNames = defineInternalCall({
  name: 'internal.listAgentNames',
  owner: 'agents-and-revisions',
  callers: ['gateway'],
  request: z.object({ team_id: idSchema }),
  response: z.object({
    agents: z
      .array(z.object({ agent_id: idSchema, name: z.string(), description: z.string().nullable() }))
      .max(maxAgentTools),
  }),
});
