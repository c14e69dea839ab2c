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
  /** The team says whose turn it is; jobs of before it was there have none. */
  payload: z.object({ lane_id: idSchema, team_id: idSchema.optional() }),
  concurrency: 1_000,
});
