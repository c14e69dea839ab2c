/** A set: teams whose files take another room than billing was told, which it now will. */
export const takeChangedStorage = `
  WITH measured AS (SELECT team_id, sum(bytes)::bigint AS bytes FROM sandbox GROUP BY team_id),
  changed AS (
    SELECT team_id, coalesce(measured.bytes, 0) AS bytes
      FROM measured FULL JOIN storage_report AS known USING (team_id)
     WHERE coalesce(measured.bytes, 0) <> coalesce(known.bytes, 0))
  INSERT INTO storage_report (team_id, bytes) SELECT team_id, bytes FROM changed
  ON CONFLICT (team_id) DO UPDATE SET bytes = excluded.bytes
  RETURNING team_id, bytes`;
