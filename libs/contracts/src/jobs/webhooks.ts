import { z } from 'zod';
import { defineJob } from '../job.js';
import { idSchema } from '../schemas/common.js';

/**
 * Sends what is due on one lane: to one webhook, or to the callbacks of a team at one host. It lasts as long as there
 * is something to send, so a lane whose receiver hangs keeps its job for long, and there may be many of them.
 */
export const drainLane = defineJob({
  name: 'drain-webhook-lane',
  owner: 'webhook-dispatcher',
  payload: z.object({ lane_id: idSchema }),
  attempts: 1,
  backoff: { firstMs: 1_000, maxMs: 1_000 },
  concurrency: 1_000,
  keepCompleted: { ageSeconds: 0, count: 0 },
  keepFailed: { ageSeconds: 3600, count: 100 },
});
