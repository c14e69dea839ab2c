-- Written by `npm run sql`; do not edit.

-- renewDelivery (src/deliveries/deliveries.sql.ts)
  WITH before AS (
    SELECT target_id, event_id, status, url FROM delivery
     WHERE target_id = $2 AND event_id = $3 AND team_id = $1 FOR UPDATE),
  counted AS (
    INSERT INTO delivery_count AS c (target_id, status, deliveries)
    SELECT target_id, status, sum(change) FROM (
    SELECT target_id, status, -1 AS change FROM before WHERE url IS NULL
    UNION ALL SELECT target_id, 'pending', 1 FROM before WHERE url IS NULL) AS changes
     GROUP BY target_id, status HAVING sum(change) <> 0 ORDER BY target_id, status
    ON CONFLICT (target_id, status) DO UPDATE SET deliveries = c.deliveries + excluded.deliveries)
  UPDATE delivery d SET status = 'pending', next_attempt_at = now(), attempts_before = attempts FROM before
   WHERE d.target_id = before.target_id AND d.event_id = before.event_id RETURNING d.*;

-- pageOfDeliveries, of a webhook (src/deliveries/deliveries.sql.ts)
    SELECT page.*, COALESCE(counted.total, 0) AS total FROM (SELECT sum(deliveries) FROM delivery_count AS d WHERE d.target_id = $2 ) AS counted(total)
      LEFT JOIN LATERAL (
        SELECT * FROM delivery d WHERE d.target_id = $2  AND d.team_id = $1
         ORDER BY d.event_id DESC LIMIT $3 OFFSET $4) AS page ON true;

-- pageOfDeliveries, of a run, with one status (src/deliveries/deliveries.sql.ts)
    SELECT page.*, COALESCE(counted.total, 0) AS total FROM (SELECT count(*) FROM delivery AS d WHERE d.target_id = $2 AND d.status = $5) AS counted(total)
      LEFT JOIN LATERAL (
        SELECT * FROM delivery d WHERE d.target_id = $2 AND d.status = $5 AND d.team_id = $1
         ORDER BY d.event_id DESC LIMIT $3 OFFSET $4) AS page ON true;
