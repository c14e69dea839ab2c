import { z } from 'zod';
import { defineEvent } from '../declarations/event.js';
import { idSchema } from '../schemas/common.js';
import { connectionStatusSchema } from '../schemas/connections.js';
import { named } from '../schemas/named.js';
import { exampleIds } from './examples.js';

const source = 'connections';

const connectionFacts = named(
  'ConnectionFacts',
  z.object({
    connection_id: idSchema,
    provider: z.string(),
    name: z.string(),
    status: connectionStatusSchema,
    reason: z.string().optional(),
  }),
);

const exampleConnection = {
  connection_id: exampleIds.connection,
  provider: 'github',
  name: 'GitHub of the support team',
} as const;

export const connectionUpdated = defineEvent({
  name: 'connection.updated',
  source,
  visibility: 'public',
  data: connectionFacts,
  consumers: [],
  example: { ...exampleConnection, status: 'active' },
});

/** A person has to do something before it works again. */
export const connectionActionRequired = defineEvent({
  name: 'connection.action_required',
  source,
  visibility: 'public',
  data: connectionFacts,
  consumers: [],
  example: { ...exampleConnection, status: 'broken', reason: 'The grant was revoked.' },
});
