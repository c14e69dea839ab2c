import { z } from 'zod';
import { defineInternalCall } from '../declarations/internal-call.js';

/** Whether the installation has more than one team. */
export const hasSeveralTeams = defineInternalCall({
  name: 'internal.hasSeveralTeams',
  owner: 'gateway',
  callers: ['connections'],
  request: z.object({}),
  response: z.object({ several: z.boolean() }),
});
