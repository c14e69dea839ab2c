import { z } from 'zod';
import { defineInternalCall } from '../declarations/internal-call.js';
import { idSchema } from '../schemas/common.js';
import { copiedBuildSchema } from '../schemas/runs.js';
import { runWorkers } from '../services.js';

export const maxBuildsResolved = 100;

/**
 * What runs are to be made of, many at a time: for each wanted agent its live build, or the build named. An agent
 * that is unknown, deleted or another team's, or a build that is not the agent's, gives null. A build that is no draft
 * never changes: a caller that keeps one says so, and is not told it again.
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
