import { z } from 'zod';
import { defineEvent } from '../declarations/event.js';
import { idSchema, timestampSchema } from '../schemas/common.js';
import { exampleIds } from './examples.js';

const source = 'agents-and-revisions';

export const buildPublished = defineEvent({
  name: 'assignment.build.published',
  source,
  visibility: 'public',
  data: z.object({ agent_id: idSchema, build_id: idSchema, revision_number: z.int() }),
  consumers: [],
  example: { agent_id: exampleIds.agent, build_id: exampleIds.build, revision_number: 3 },
});

/** Its active runs are to be stopped, and none may start. */
export const agentDeleted = defineEvent({
  name: 'agent.deleted',
  source,
  visibility: 'internal',
  data: z.object({ agent_id: idSchema }),
  consumers: ['runs'],
});

/** A run is to be started, once, with the id given here. */
export const scheduleFired = defineEvent({
  name: 'schedule.fired',
  source,
  visibility: 'internal',
  data: z.object({
    schedule_id: idSchema,
    agent_id: idSchema,
    run_id: idSchema,
    due_at: timestampSchema,
    message: z.string().nullable(),
  }),
  consumers: ['runs'],
});
