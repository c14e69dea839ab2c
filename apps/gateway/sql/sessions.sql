-- Written by `npm run sql`; do not edit.

-- insertSession (src/identity/sessions/sessions.sql.ts)
  INSERT INTO sign_in_session (id, team_id, api_key_id, hash, created_at, used_at, expires_at)
  VALUES ($1, $2, $3, $4, now(), now(), now() + interval '604800 seconds');

-- deleteOldSessions (src/identity/sessions/sessions.sql.ts)
  DELETE FROM sign_in_session
   WHERE expires_at < now() OR used_at < now() - interval '43200 seconds'
      OR id IN (SELECT id FROM sign_in_session WHERE api_key_id = $1 ORDER BY id DESC OFFSET 100);

-- sessionByHash (src/identity/sessions/sessions.sql.ts)
  SELECT s.id, s.team_id, s.api_key_id, s.expires_at, k.name AS key_name, k.scopes, k.expires_at AS key_expires_at,
         CASE WHEN k.revoked_at IS NOT NULL THEN 'key_revoked'
              WHEN k.expires_at <= now() THEN 'key_expired'
              WHEN s.expires_at <= now() OR s.used_at < now() - interval '43200 seconds' THEN 'expired'
              ELSE 'open' END AS state,
         s.used_at < now() - interval '300 seconds' AS is_use_due
    FROM sign_in_session s JOIN api_key k ON k.id = s.api_key_id
   WHERE s.hash = $1;

-- noteUse (src/identity/sessions/sessions.sql.ts)
  UPDATE sign_in_session SET used_at = now()
   WHERE id = $1 AND used_at < now() - interval '300 seconds';
