import { z } from 'zod';
import { defineJob } from '../job.js';
import { idSchema } from '../schemas/common.js';

/**
 * Carries a run on from its last stored step until it ends, pauses or is handed back. It does not fail: what a run
 * comes to is in its row. It is gone when it has ended, so that its id can be used again.
 */
export const executeRun = defineJob({
  name: 'execute-run',
  owner: 'runs',
  payload: z.object({ run_id: idSchema }),
  attempts: 1,
  backoff: { firstMs: 1_000, maxMs: 1_000 },
  concurrency: 64,
  keepCompleted: { ageSeconds: 0, count: 0 },
  keepFailed: { ageSeconds: 3600, count: 100 },
});

/** Judges a run that has ended, where a model is asked; what facts alone tell is judged many at a time. */
export const evaluateRun = defineJob({
  name: 'evaluate-run',
  owner: 'runs',
  payload: z.object({ run_id: idSchema }),
  attempts: 1,
  backoff: { firstMs: 1_000, maxMs: 1_000 },
  concurrency: 8,
  keepCompleted: { ageSeconds: 0, count: 0 },
  keepFailed: { ageSeconds: 3600, count: 100 },
});
