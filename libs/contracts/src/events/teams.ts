import { z } from 'zod';
import { defineEvent } from '../declarations/event.js';
import { idSchema } from '../schemas/common.js';

/** Every service keeps a copy of a team's plan, so that no request waits for another service to know a limit. */
export const teamPlanSet = defineEvent({
  name: 'team.plan_set',
  source: 'gateway',
  visibility: 'internal',
  data: z.object({ team_id: idSchema, plan: z.string() }),
  consumers: ['agents-and-revisions', 'billing', 'connections', 'runs', 'webhook-dispatcher'],
});
