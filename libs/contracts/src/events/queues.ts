import { z } from 'zod';
import { defineEvent } from '../declarations/event.js';
import { caseStatusSchema } from '../schemas/cases.js';
import { idSchema } from '../schemas/common.js';
import { named } from '../schemas/named.js';
import { exampleIds } from './examples.js';

const source = 'runs';

const caseFacts = named(
  'CaseFacts',
  z.object({
    case_id: idSchema,
    queue_id: idSchema,
    title: z.string(),
    status: caseStatusSchema,
    run_id: idSchema.optional(),
  }),
);

const exampleCase = {
  case_id: exampleIds.case,
  queue_id: exampleIds.queue,
  title: 'Invoice 4711 does not match its order',
} as const;

export const caseCreated = defineEvent({
  name: 'queue.case.created',
  source,
  visibility: 'public',
  data: caseFacts,
  consumers: [],
  example: { ...exampleCase, status: 'pending' },
});

export const caseClaimed = defineEvent({
  name: 'queue.case.claimed',
  source,
  visibility: 'public',
  data: caseFacts,
  consumers: [],
  example: { ...exampleCase, status: 'pending', run_id: exampleIds.run },
});

export const caseCompleted = defineEvent({
  name: 'queue.case.completed',
  source,
  visibility: 'public',
  data: caseFacts,
  consumers: [],
  example: { ...exampleCase, status: 'completed', run_id: exampleIds.run },
});
