/**
 * One statement, so that of secrets rotated at the same time each keeps the one before it. $1: team, $2: the new one,
 * sealed, $3: for how many seconds the former one still signs.
 */
export const rotateSecret = `
  INSERT INTO webhook_secret AS present (team_id, sealed, created_at) VALUES ($1, $2, now())
  ON CONFLICT (team_id) DO UPDATE SET sealed = $2, created_at = now(),
    previous_sealed = CASE WHEN $3 > 0 THEN present.sealed END,
    previous_expires_at = CASE WHEN $3 > 0 THEN now() + make_interval(secs => $3) END
  RETURNING *`;
