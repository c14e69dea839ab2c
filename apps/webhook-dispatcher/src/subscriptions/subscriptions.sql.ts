/** A lock that no row has: webhooks that a team makes at the same time are counted one after the other. $1: team. */
export const lockCountOfTeam = `SELECT pg_advisory_xact_lock(hashtextextended('webhook_subscription ' || $1, 0))`;
