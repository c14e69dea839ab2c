/** Counts the teams of rows of (team_id), in order, so that statements do not wait for each other crosswise. */
export function meterDeliveries(delivered: string): string {
  return `
    INSERT INTO delivery_meter AS m (team_id, delivered, reported)
    SELECT team_id, count(*), 0 FROM (${delivered}) AS delivered GROUP BY team_id ORDER BY team_id
    ON CONFLICT (team_id) DO UPDATE SET delivered = m.delivered + excluded.delivered`;
}

/** Whether there is any team with deliveries that billing does not know of. */
export const anyUnreported = 'SELECT FROM delivery_meter WHERE delivered > reported';

/** A set that several replicas share: teams with deliveries that billing does not know of, which it now will. $1: how many. */
export const takeUnreported = `
  WITH due AS (
    SELECT team_id, delivered - reported AS deliveries FROM delivery_meter
     WHERE delivered > reported LIMIT $1 FOR UPDATE SKIP LOCKED)
  UPDATE delivery_meter m SET reported = m.reported + due.deliveries FROM due WHERE m.team_id = due.team_id
  RETURNING due.team_id, due.deliveries::int`;
