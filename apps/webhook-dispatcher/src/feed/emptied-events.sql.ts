/** The run that an event of the feed names: what an index is made of. */
export const runOfEvent = `(body::json #>> '{data,run_id}')`;

/** Expressions for the parts of an event. */
interface EventParts {
  readonly id: string;
  readonly event: string;
  readonly body: string;
  readonly runId: string;
}

/** The envelope of an event whose run was deleted. */
export function emptiedBody({ id, event, body, runId }: EventParts): string {
  return `json_build_object('id', ${id}, 'event', ${event}, 'created_at', ${body}::json -> 'created_at',
           'data', json_build_object('run_id', ${runId}, 'deleted', true))::text`;
}

/**
 * Parts of a statement that takes from events what they say of `chosen` (run_id, team_id, after_position). Gives as `page`
 * those that it looked at. $2: how many of each run at most, $3: the names of events.
 *
 * The team is compared outside: inside, the order of a team's feed would do, which is to read all of it.
 */
export const emptiedEvents = `
  page AS MATERIALIZED (
    SELECT chosen.run_id, f.team_id, f.position, f.id
      FROM chosen CROSS JOIN LATERAL (
        SELECT team_id, position, id FROM feed_event
         WHERE ${runOfEvent} = chosen.run_id::text AND position > chosen.after_position AND event = ANY ($3::text[])
         ORDER BY position LIMIT $2) AS f
     WHERE f.team_id = chosen.team_id),
  emptied AS (
    UPDATE feed_event f SET body = blank.body
      FROM page JOIN feed_event e USING (team_id, position),
           LATERAL (SELECT ${emptiedBody({ id: 'e.id', event: 'e.event', body: 'e.body', runId: 'page.run_id' })} AS body) AS blank
     WHERE f.team_id = page.team_id AND f.position = page.position AND f.body <> blank.body)`;
