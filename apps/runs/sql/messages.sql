-- Written by `npm run sql`; do not edit.

-- messagePage (src/lifecycle/messages/messages.sql.ts)
SELECT * FROM (
    SELECT page.*, count(*) OVER ()::int AS page_rows,
           sum(octet_length(to_json(page)::text)) OVER (ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (SELECT message.* FROM run_message AS message
     JOIN run ON run.id = message.run_id AND run.team_id = $1
    WHERE message.run_id = $2 AND message.seq > $3 ORDER BY message.seq LIMIT $4) AS page) AS page
   WHERE coalesce(bytes_before, 0) < 4194304 ORDER BY seq;
