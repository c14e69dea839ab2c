-- Written by `npm run sql`; do not edit.

-- listFolder (src/files/sandbox-files.sql.ts)
SELECT split_part(rest, '/', 1) AS name, bool_or(strpos(rest, '/') > 0) AS is_folder,
       sum(size_bytes) AS size_bytes, max(updated_at) AS updated_at
  FROM (SELECT substr(path, length($2) + 2) AS rest, size_bytes, updated_at FROM sandbox_file
         WHERE sandbox_id = $1 AND path > $2 || '/' AND path < $2 || '0') AS inside
 GROUP BY name ORDER BY name;

-- commitFiles (src/files/sandbox-files.sql.ts)
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(
    n int, team_id uuid, sandbox_id uuid, path text, folders text[], key text, size_bytes bigint, sha256 text)),
  found AS MATERIALIZED (
    SELECT input.*, sandbox.files, sandbox.bytes, before.key AS old_key, in_the_way.path AS blocked_by,
           input.size_bytes - coalesce(before.size_bytes, 0) AS more_bytes,
           CASE WHEN before.key IS NULL THEN 1 ELSE 0 END AS more_files
      FROM input
      JOIN sandbox ON sandbox.id = input.sandbox_id AND sandbox.team_id = input.team_id AND (sandbox.expires_at IS NULL OR sandbox.expires_at > now() OR EXISTS (SELECT 1 FROM run WHERE run.sandbox_id = sandbox.id AND run.sandbox_id <> run.id))
      LEFT JOIN sandbox_file AS before ON before.sandbox_id = input.sandbox_id AND before.path = input.path
      LEFT JOIN LATERAL (
        SELECT other.path FROM sandbox_file AS other
         WHERE before.key IS NULL AND other.sandbox_id = input.sandbox_id
           AND (other.path = ANY (input.folders) OR (other.path > input.path || '/' AND other.path < input.path || '0')) LIMIT 1) AS in_the_way ON true),
  judged AS MATERIALIZED (
    SELECT *, CASE WHEN blocked_by IS NOT NULL THEN 'in_the_way'
                   WHEN files + more_files > $2 THEN 'files'
                   WHEN more_bytes > 0 AND bytes + more_bytes > $3 THEN 'bytes' END AS refusal
      FROM found),
  rescued AS MATERIALIZED (
    DELETE FROM file_garbage USING judged
     WHERE file_garbage.key = judged.key AND file_garbage.taken_at IS NULL AND judged.refusal IS NULL
    RETURNING judged.*),
  stored AS (
    INSERT INTO sandbox_file (sandbox_id, path, key, size_bytes, sha256, updated_at)
    SELECT sandbox_id, path, key, size_bytes, sha256, now() FROM rescued
    ON CONFLICT (sandbox_id, path) DO UPDATE SET key = excluded.key, size_bytes = excluded.size_bytes,
      sha256 = excluded.sha256, updated_at = excluded.updated_at
    RETURNING sandbox_id, updated_at),
  replaced AS (
    INSERT INTO file_garbage (key, due_at)
    SELECT old_key, now() + $4 * interval '1 ms' FROM rescued WHERE old_key IS NOT NULL),
  counted AS (
    UPDATE sandbox SET files = sandbox.files + rescued.more_files, bytes = sandbox.bytes + rescued.more_bytes
      FROM rescued WHERE sandbox.id = rescued.sandbox_id)
SELECT judged.n, judged.refusal, judged.blocked_by, judged.old_key IS NULL AS created, stored.updated_at
  FROM judged LEFT JOIN stored USING (sandbox_id);
