import { z } from 'zod';
import { defineInternalCall } from '../declarations/internal-call.js';
import { memoryFileSchema } from '../operations/agents/memory-files.js';
import { idSchema } from '../schemas/common.js';
import { copiedBuildSchema } from '../schemas/runs.js';
import { runWorkers } from '../services.js';

/** As many agents of a team are offered as tools of their own. */
export const maxAgentTools = 1000;

/** Names of the agents of a team, oldest first, so that a new one changes no index. */
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

const owner = 'agents-and-revisions';
const fileSchema = memoryFileSchema.pick({ path: true, size_bytes: true, updated_at: true });
const agent = { team_id: idSchema, agent_id: idSchema };

/** Memory of an agent, for its runs. Refusals carry a reason for the agent. */
export const readMemory = defineInternalCall({
  name: 'internal.readMemory',
  owner,
  callers: ['runs', runWorkers],
  request: z.object({ ...agent, path: z.string() }),
  response: z.object({ content: z.string() }),
});

export const writeMemory = defineInternalCall({
  name: 'internal.writeMemory',
  owner,
  callers: ['runs', runWorkers],
  request: z.object({ ...agent, run_id: idSchema, path: z.string(), content: z.string() }),
  response: fileSchema,
});

export const listMemory = defineInternalCall({
  name: 'internal.listMemory',
  owner,
  callers: ['runs', runWorkers],
  request: z.object(agent),
  response: z.object({ files: z.array(fileSchema) }),
});

export const maxBuildsResolved = 100;

/**
 * Resolves builds in batches: for each agent its live build, or the named one. Unknown, deleted and other teams'
 * agents, and builds of another agent, give null. Only drafts change: a caller that has a build says so and does not
 * get it again.
 */
export const resolveBuilds = defineInternalCall({
  name: 'internal.resolveBuilds',
  owner: 'agents-and-revisions',
  callers: ['runs', runWorkers],
  request: z.object({
    wanted: z
      .array(
        z.object({
          team_id: idSchema,
          agent_id: idSchema,
          build_id: idSchema.optional(),
          kept_build_id: idSchema.optional(),
        }),
      )
      .max(maxBuildsResolved),
  }),
  response: z.object({
    found: z.array(
      z
        .object({
          agent_name: z.string(),
          /** Absent where it is the one that the caller keeps. */
          build: copiedBuildSchema.optional(),
          /** Whether the build may be kept. A replica of the version before does not tell. */
          is_final: z.boolean().optional(),
          /** Whether the build has rubrics of its team's. A replica of the version before does not tell. */
          has_rubrics: z.boolean().optional(),
        })
        .nullable(),
    ),
  }),
});
