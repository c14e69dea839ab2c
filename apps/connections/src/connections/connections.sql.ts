/** Connections that came into being with a consent that was never given. */
export const sweepDrafts = `
  DELETE FROM connection WHERE id IN (
    SELECT id FROM connection WHERE is_draft AND status = 'pending' AND created_at < now() - interval '24 hours' LIMIT 500)`;
