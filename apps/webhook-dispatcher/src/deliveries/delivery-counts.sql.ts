/**
 * Moves the counters by rows of (target_id, status, change). In order, so that two statements that touch the same
 * counters do not wait for each other crosswise.
 */
export function moveCounts(changes: string): string {
  return `
    INSERT INTO delivery_count AS c (target_id, status, deliveries)
    SELECT target_id, status, sum(change) FROM (${changes}) AS changes
     GROUP BY target_id, status HAVING sum(change) <> 0 ORDER BY target_id, status
    ON CONFLICT (target_id, status) DO UPDATE SET deliveries = c.deliveries + excluded.deliveries`;
}
