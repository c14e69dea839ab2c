import { z } from 'zod';
import { defineHint } from '../job.js';
import { idSchema } from '../schemas/common.js';

/**
 * Sends what is due on one lane: to one webhook, or to the callbacks of a team at one host. It lasts as long as there
 * is something to send, so a lane whose receiver hangs keeps its job for long, and there may be many of them.
 */
export const drainLane = defineHint({
  name: 'drain-webhook-lane',
  owner: 'webhook-dispatcher',
  payload: z.object({ lane_id: idSchema }),
  concurrency: 1_000,
});
