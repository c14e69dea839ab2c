-- Written by `npm run sql`; do not edit.

-- eventsAfter (src/lifecycle/run-events/run-events.sql.ts)
SELECT run.status, run.event_seq, page.*
  FROM run LEFT JOIN LATERAL (
    SELECT * FROM (
    SELECT page.*, count(*) OVER ()::int AS page_rows,
           sum(octet_length(data::text)) OVER (ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (SELECT * FROM (SELECT run_id, run_seq AS seq, id, event, data, created_at FROM logged_event WHERE run_id IS NOT NULL) AS stored WHERE run_id = run.id AND seq > $3 ORDER BY seq LIMIT 200) AS page) AS page
   WHERE coalesce(bytes_before, 0) < 4194304 ORDER BY seq) AS page ON true
 WHERE run.id = $2 AND run.team_id = $1
 ORDER BY page.seq;
