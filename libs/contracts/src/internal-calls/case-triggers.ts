import { z } from 'zod';
import { defineInternalCall } from '../declarations/internal-call.js';
import { conflictingAgentSchema } from '../schemas/cases.js';
import { idSchema } from '../schemas/common.js';

/** A page of agents is asked about at once. */
const maxAgents = 100;

/** The enabled triggers of agents, with what is to be shown of their queues; an agent that takes no cases is left out. */
export const findCaseTriggers = defineInternalCall({
  name: 'internal.findCaseTriggers',
  owner: 'runs',
  callers: ['agents-and-revisions'],
  request: z.object({ team_id: idSchema, agent_ids: z.array(idSchema).max(maxAgents) }),
  response: z.object({
    triggers: z.array(
      z.object({
        agent_id: idSchema,
        queue_name: z.string(),
        conflicting_agents: z.array(conflictingAgentSchema),
      }),
    ),
  }),
});

export type FoundCaseTrigger = z.output<typeof findCaseTriggers.response>['triggers'][number];
