import { withinPageBytes } from '@aos/persistence';

const size = { order: 'position', bytes: 'octet_length(body)' };

/** A set whose size counts: the next events of a team but those that are only for who names them. $4: their names. */
export const allEvents = withinPageBytes(
  'SELECT position, body FROM feed_event WHERE team_id = $1 AND position > $2 AND event <> ALL ($4) ORDER BY position LIMIT $3',
  size,
);

/** From each of the types the next ones: an event of a rare type is found without reading all others. */
export const eventsOfTypes = withinPageBytes(
  `SELECT position, body FROM unnest($4::text[]) AS wanted(event)
   CROSS JOIN LATERAL (
     SELECT position, body FROM feed_event
      WHERE team_id = $1 AND feed_event.event = wanted.event AND position > $2 ORDER BY position LIMIT $3) AS found
   ORDER BY position LIMIT $3`,
  size,
);
