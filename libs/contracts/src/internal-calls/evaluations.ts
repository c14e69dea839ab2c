import { z } from 'zod';
import { defineInternalCall } from '../declarations/internal-call.js';
import { idSchema, severitySchema } from '../schemas/common.js';
import { runWorkers } from '../services.js';

export const maxRubricSetsFound = 100;

/** The rubrics of many builds as they are now; a build that is gone or another team's has none. */
export const findRubrics = defineInternalCall({
  name: 'internal.findRubrics',
  owner: 'agents-and-revisions',
  callers: ['runs', runWorkers],
  request: z.object({
    wanted: z.array(z.object({ team_id: idSchema, build_id: idSchema })).max(maxRubricSetsFound),
  }),
  response: z.object({
    found: z.array(
      z.array(
        z.object({
          rubric_id: idSchema,
          slug: z.string(),
          title: z.string(),
          description: z.string(),
          severity: severitySchema,
          version: z.int(),
        }),
      ),
    ),
  }),
});

/** How the runs of a build were judged: how many were, and how many of them have no issue. */
export const scoreBuild = defineInternalCall({
  name: 'internal.scoreBuild',
  owner: 'runs',
  callers: ['agents-and-revisions'],
  request: z.object({ team_id: idSchema, build_id: idSchema }),
  response: z.object({ evaluated: z.int(), passed: z.int() }),
});
