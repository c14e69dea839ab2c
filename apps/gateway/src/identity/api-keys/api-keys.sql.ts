/** By hand: each request with a key that no cache knows makes it. $1: SHA-256 of the key. */
export const keyByHash = `
  SELECT id, team_id, scopes, expires_at FROM api_key WHERE hash = $1 AND revoked_at IS NULL`;
