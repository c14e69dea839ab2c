import { absoluteSeconds, idleSeconds, sessionsPerKey, usedEverySeconds } from './session-limits.js';

const idle = `used_at < now() - interval '${idleSeconds} seconds'`;

/** Inserts a session. $1: id, $2: team, $3: API key, $4: SHA-256 of the token. By hand: the store's clock says when it ends. */
export const insertSession = `
  INSERT INTO sign_in_session (id, team_id, api_key_id, hash, created_at, used_at, expires_at)
  VALUES ($1, $2, $3, $4, now(), now(), now() + interval '${absoluteSeconds} seconds')`;

/**
 * Deletes sessions that have ended, and of a key all but its newest, so that the table stays small. $1: API key. By hand:
 * a set.
 */
export const deleteOldSessions = `
  DELETE FROM sign_in_session
   WHERE expires_at < now() OR ${idle}
      OR id IN (SELECT id FROM sign_in_session WHERE api_key_id = $1 ORDER BY id DESC OFFSET ${sessionsPerKey})`;

/** By hand: each request with a session that no cache knows makes it. $1: SHA-256 of the token. */
export const sessionByHash = `
  SELECT s.id, s.team_id, s.api_key_id, s.expires_at, k.name AS key_name, k.scopes, k.expires_at AS key_expires_at,
         CASE WHEN k.revoked_at IS NOT NULL THEN 'key_revoked'
              WHEN k.expires_at <= now() THEN 'key_expired'
              WHEN s.expires_at <= now() OR s.${idle} THEN 'expired'
              ELSE 'open' END AS state,
         s.used_at < now() - interval '${usedEverySeconds} seconds' AS is_use_due
    FROM sign_in_session s JOIN api_key k ON k.id = s.api_key_id
   WHERE s.hash = $1`;

/** $1: session. By hand: by the store's clock, and once for all gateways. */
export const noteUse = `
  UPDATE sign_in_session SET used_at = now()
   WHERE id = $1 AND used_at < now() - interval '${usedEverySeconds} seconds'`;
