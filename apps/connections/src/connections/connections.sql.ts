/** A lock that no row has: connections that a team makes at the same time are counted one after the other. $1: team. */
export const lockCountOfTeam = `SELECT pg_advisory_xact_lock(hashtextextended('connection ' || $1, 0))`;

/** Connections that came into being with a consent that was never given. */
export const sweepDrafts = `
  DELETE FROM connection WHERE id IN (
    SELECT id FROM connection WHERE is_draft AND status = 'pending' AND created_at < now() - interval '24 hours' LIMIT 500)`;
