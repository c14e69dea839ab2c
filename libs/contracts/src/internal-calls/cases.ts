import { z } from 'zod';
import { defineInternalCall } from '../declarations/internal-call.js';
import { conflictingAgentSchema, exportStateSchema } from '../schemas/cases.js';
import { idSchema } from '../schemas/common.js';

const owner = 'runs';

/** A key under which the bytes of an import may be stored; they are swept in any case. */
export const stageImport = defineInternalCall({
  name: 'internal.stageImport',
  owner,
  callers: ['gateway'],
  request: z.object({ team_id: idSchema, queue_id: idSchema }),
  response: z.object({ key: z.string() }),
});

/** The bytes of an import are of no use any more. */
export const discardImport = defineInternalCall({
  name: 'internal.discardImport',
  owner,
  callers: ['gateway'],
  request: z.object({ team_id: idSchema, key: z.string() }),
  response: z.object({}),
});

/** The next page of an export. */
export const continueCaseExport = defineInternalCall({
  name: 'internal.continueCaseExport',
  owner,
  callers: ['gateway'],
  request: z.object({ team_id: idSchema, state: exportStateSchema }),
  response: z.object({ text: z.string(), next: exportStateSchema.nullable() }),
});

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
