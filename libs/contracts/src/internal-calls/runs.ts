import { z } from 'zod';
import { defineInternalCall } from '../internal-call.js';
import { idSchema } from '../schemas/common.js';

/** Whether a run is there and the team's, for services that keep something about it. */
export const findRun = defineInternalCall({
  name: 'internal.findRun',
  owner: 'runs',
  request: z.object({ team_id: idSchema, run_id: idSchema }),
  response: z.object({ found: z.boolean() }),
});
