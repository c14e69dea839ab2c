import { z } from 'zod';
import { defineJob } from '../declarations/job.js';
import { idSchema } from '../schemas/common.js';

const owner = 'agents-and-revisions';

/** Fires the schedules that are due. Repeats every second; one run at a time is enough. */
export const sweepSchedules = defineJob({
  name: 'sweep-schedules',
  owner,
  payload: z.object({}),
  attempts: 1,
  backoff: { firstMs: 1_000, maxMs: 1_000 },
  concurrency: 1,
  keepCompleted: { ageSeconds: 60, count: 10 },
  keepFailed: { ageSeconds: 3600, count: 100 },
});

/** Carries a builder run on from its last stored step. */
export const executeBuilderRun = defineJob({
  name: 'execute-builder-run',
  owner,
  payload: z.object({ builder_run_id: idSchema }),
  attempts: 3,
  backoff: { firstMs: 1_000, maxMs: 30_000 },
  concurrency: 10,
});
