const due = 'FROM artifact WHERE next_refresh_at <= now()';

/** Whether there is any artifact that is due. */
export const anyArtifactDue = `SELECT ${due}`;

/**
 * A set: artifacts of all teams that are due to be refreshed, and by which clock. What another replica has locked is its own
 * to refresh. $1: how many.
 */
export const takeDueArtifacts = `
  SELECT *, now() AS looked_at ${due} ORDER BY next_refresh_at LIMIT $1 FOR UPDATE SKIP LOCKED`;
