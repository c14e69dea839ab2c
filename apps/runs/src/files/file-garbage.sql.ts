/**
 * Keys whose bytes are to be deleted by the caller. $1: how many, $2: after how many milliseconds another sweep is taken
 * for dead. By hand: a queue that several take from.
 */
export const takeGarbage = `
UPDATE file_garbage SET taken_at = now() WHERE key IN (
  SELECT key FROM file_garbage
   WHERE due_at <= now() AND (taken_at IS NULL OR taken_at < now() - $2 * interval '1 ms')
   ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING key`;
