import { z } from 'zod';
import { eventEnvelopeSchema } from '../../declarations/event.js';
import { eventNameSchema, publicEvents } from '../../events/index.js';
import { defineOperation } from '../../declarations/operation.js';
import { idParams, optionalQueryInteger, queryInteger, queryList } from '../../schemas/common.js';

const owner = 'webhook-dispatcher';
const scope = 'webhooks:manage';
const tag = 'Events';

export const listEvents = defineOperation({
  operationId: 'listEvents',
  method: 'GET',
  path: '/v2/teams/{teamId}/events',
  tag,
  summary: 'List the events of a team in order, after a cursor',
  description:
    'For receivers that cannot be reached. Keep `next_cursor` and ask with it again: nothing is skipped or repeated. Events are kept for 30 days.',
  owner,
  scope,
  params: idParams('teamId'),
  query: z.object({
    /** `next_cursor` of the page before; without it, from the oldest event that is kept. */
    after: queryInteger({ default: 0 }),
    types: queryList(eventNameSchema),
    limit: queryInteger({ min: 1, max: 1_000, default: 100 }),
  }),
  status: 200,
  response: z.object({
    events: z.array(eventEnvelopeSchema),
    next_cursor: z.string(),
    has_more: z.boolean(),
  }),
});

export const streamTeamEvents = defineOperation({
  operationId: 'streamTeamEvents',
  method: 'GET',
  path: '/v2/teams/{teamId}/events/stream',
  tag,
  summary: 'Stream the events of a team',
  description:
    'Server-sent events: the feed as it grows, from now on; `id` is the cursor, and comes at first without data, so that nothing is missed before the first event. `Last-Event-ID`, or `after`, resumes behind a cursor, `after=0` begins with the oldest event that is kept. Does not end.',
  owner,
  scope,
  params: idParams('teamId'),
  query: z.object({ after: optionalQueryInteger(), types: queryList(eventNameSchema) }),
  status: 200,
  kind: 'stream',
  streams: { of: 'team', item: 'TeamEvent', events: publicEvents },
  response: z.object({
    events: z.array(eventEnvelopeSchema.extend({ seq: z.int() })),
    /** The cursor of the feed. */
    last: z.int(),
    /** Whether there were no further events when these were read. */
    complete: z.boolean(),
  }),
});
