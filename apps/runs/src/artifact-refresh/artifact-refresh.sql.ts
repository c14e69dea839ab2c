/**
 * A set: artifacts of all teams that are due to be refreshed. What another replica has locked is its own to refresh. $1:
 * how many.
 */
export const takeDueArtifacts = `
  SELECT * FROM artifact WHERE next_refresh_at <= now() ORDER BY next_refresh_at LIMIT $1 FOR UPDATE SKIP LOCKED`;
