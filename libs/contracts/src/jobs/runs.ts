import { z } from 'zod';
import { defineWakeUpJob } from '../declarations/job.js';
import { idSchema } from '../schemas/common.js';

/**
 * Tells one replica that a team has runs to be taken; which, Postgres knows. It is held while the replica has no room,
 * so that another gets the next.
 */
export const takeRuns = defineWakeUpJob({
  name: 'take-runs',
  owner: 'runs',
  payload: z.object({ team_id: idSchema }),
  concurrency: 4,
});

/** Tells one replica that there is a page to be made, that of this artifact; whose turn it is, Postgres knows. */
export const makeArtifact = defineWakeUpJob({
  name: 'make-artifact',
  owner: 'runs',
  payload: z.object({ artifact_id: idSchema }),
  concurrency: 8,
});

/** Judges a run that has ended, where a model is asked; what facts alone tell is judged many at a time. */
export const evaluateRun = defineWakeUpJob({
  name: 'evaluate-run',
  owner: 'runs',
  payload: z.object({ run_id: idSchema }),
  concurrency: 8,
});
