import { z } from 'zod';
import { defineInternalCall } from '../declarations/internal-call.js';
import { pluginSchema } from '../operations/connections/plugins.js';
import { getRun } from '../operations/runs/runs.js';
import { idSchema, timestampSchema } from '../schemas/common.js';
import { runErrorSchema, runSchema, runStatusSchema } from '../schemas/runs.js';

const oneRun = z.object({ team_id: idSchema, run_id: idSchema });

/** Whether a run is there and the team's, for services that keep something about it. */
export const findRun = defineInternalCall({
  name: 'internal.findRun',
  owner: 'runs',
  callers: ['webhook-dispatcher'],
  request: oneRun,
  response: z.object({ found: z.boolean() }),
});

/** Whether runs of an agent, or sub-runs of theirs, wait for an approval; whoever deletes the agent cancels it. */
export const awaitsApproval = defineInternalCall({
  name: 'internal.awaitsApproval',
  owner: 'runs',
  callers: ['agents-and-revisions'],
  request: z.object({ team_id: idSchema, agent_id: idSchema }),
  response: z.object({ awaits: z.boolean() }),
});

/** A run as the task that it is to an MCP client: as getRun shows it, and how it ended before it was reopened. */
export const getRunAsTask = defineInternalCall({
  name: 'internal.getRunAsTask',
  owner: 'runs',
  callers: ['gateway'],
  request: oneRun,
  response: getRun.response.extend({
    // A replica of the version before does not tell them.
    run: runSchema.partial({ run_number: true, case_queue_item_id: true, postponed_to: true }),
    first_end: z
      .object({
        status: runStatusSchema,
        result: z.string().nullable(),
        error: runErrorSchema.nullable(),
        ended_at: timestampSchema,
      })
      .nullable(),
  }),
});

export type RunAsTask = z.output<typeof getRunAsTask.response>;

/** The built-in tool sets, and which of them this installation has. */
export const describeToolSets = defineInternalCall({
  name: 'internal.describeToolSets',
  owner: 'runs',
  callers: ['connections'],
  request: z.object({}),
  response: z.object({ tool_sets: z.array(pluginSchema) }),
});
