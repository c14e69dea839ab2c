import { z } from 'zod';
import { defineWakeUpJob } from '../declarations/job.js';
import { idSchema } from '../schemas/common.js';

/**
 * Sends what is due in one endpoint queue: to one webhook, or to the callbacks of a team at one host. It lasts as long as
 * there is something to send, so a queue whose receiver hangs keeps its job for long, and there may be many of them.
 */
export const sendEndpointQueue = defineWakeUpJob({
  name: 'send-endpoint-queue',
  owner: 'webhook-dispatcher',
  /** The team says whose turn it is; jobs of before it was there have none. */
  payload: z.object({ queue_id: idSchema, team_id: idSchema.optional() }),
  concurrency: 1_000,
});
