-- Written by `npm run sql`; do not edit.

-- allEvents (src/feed/feed.sql.ts)
SELECT * FROM (
    SELECT page.*, count(*) OVER ()::int AS page_rows,
           sum(octet_length(body)) OVER (ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (SELECT position, body FROM feed_event WHERE team_id = $1 AND position > $2 AND event <> ALL ($4) ORDER BY position LIMIT $3) AS page) AS page
   WHERE coalesce(bytes_before, 0) < 4194304 ORDER BY position;

-- eventsOfTypes (src/feed/feed.sql.ts)
SELECT * FROM (
    SELECT page.*, count(*) OVER ()::int AS page_rows,
           sum(octet_length(body)) OVER (ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (SELECT position, body FROM unnest($4::text[]) AS wanted(event)
   CROSS JOIN LATERAL (
     SELECT position, body FROM feed_event
      WHERE team_id = $1 AND feed_event.event = wanted.event AND position > $2 ORDER BY position LIMIT $3) AS found
   ORDER BY position LIMIT $3) AS page) AS page
   WHERE coalesce(bytes_before, 0) < 4194304 ORDER BY position;
