/** A former secret that signs no more is not kept: its key would count as one in use. */
export const forgetFormerSecrets = `
  WITH gone AS (
    UPDATE webhook_secret SET previous_sealed = NULL, previous_expires_at = NULL
     WHERE team_id IN (SELECT team_id FROM webhook_secret WHERE previous_expires_at <= now() LIMIT $2)
       AND previous_expires_at <= now() AND $1 > 0 RETURNING 1)
  SELECT count(*) FROM gone`;
