import { z } from 'zod';
import { defineInternalCall } from '../declarations/internal-call.js';
import { billingUsageSchema } from '../schemas/billing.js';
import { idSchema } from '../schemas/common.js';
import { runWorkers } from '../services.js';

/** What a team has used in this calendar month, for the pages that show it. */
export const readUsage = defineInternalCall({
  name: 'internal.readUsage',
  owner: 'billing',
  callers: ['runs', runWorkers],
  request: z.object({ team_id: idSchema }),
  response: billingUsageSchema,
});
