/** The last parameter: for how many seconds it is good. By hand: it gives the end that Postgres has set. */
export const insertFlow = `
  INSERT INTO oauth_flow (state_hash, team_id, connection_id, provider, server_url, oauth, scopes, sealed_verifier,
                          sealed_client_secret, return_url, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + make_interval(secs => $11))
  RETURNING expires_at`;

/** Gone with the first look, whatever comes of it. $1: hash of the state, $2: the team that may end it, or null. */
export const takeFlow = `
  DELETE FROM oauth_flow
   WHERE state_hash = $1 AND expires_at > now() AND ($2::uuid IS NULL OR team_id = $2)
  RETURNING *`;

/** By hand: a set, of all teams. */
export const sweepFlows = `
  DELETE FROM oauth_flow WHERE state_hash IN (SELECT state_hash FROM oauth_flow WHERE expires_at < now() LIMIT 1000)`;
