/**
 * By hand: each request with a token that no cache knows makes it, and its two questions are one. $1: client, $2: team,
 * $3: token.
 */
export const isActiveToken = `
  SELECT EXISTS (SELECT 1 FROM oauth_client WHERE id = $1 AND team_id = $2 AND revoked_at IS NULL)
     AND NOT EXISTS (SELECT 1 FROM revoked_token WHERE jti = $3) AS active`;

/** TypeORM knows locks of rows only. Two gateways that start together must not make two keys. */
export const lockSigningKeys = `LOCK TABLE signing_key IN EXCLUSIVE MODE`;
