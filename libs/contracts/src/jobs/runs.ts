import { z } from 'zod';
import { defineHint } from '../job.js';
import { idSchema } from '../schemas/common.js';

/** Carries a run on from its last stored step until it ends, pauses or is handed back. */
export const executeRun = defineHint({
  name: 'execute-run',
  owner: 'runs',
  payload: z.object({ run_id: idSchema }),
  concurrency: 64,
});

/** Judges a run that has ended, where a model is asked; what facts alone tell is judged many at a time. */
export const evaluateRun = defineHint({
  name: 'evaluate-run',
  owner: 'runs',
  payload: z.object({ run_id: idSchema }),
  concurrency: 8,
});
