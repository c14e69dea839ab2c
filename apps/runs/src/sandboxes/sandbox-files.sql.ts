const fileColumns = 'sandbox_id, path, key, size_bytes, sha256, updated_at';

/** Below a folder: `0` is the character behind `/`, and paths are sorted by their bytes. */
function within(folder: string): string {
  return `path > ${folder} || '/' AND path < ${folder} || '0'`;
}

/** $1: the sandbox. By hand: an aggregate. */
export const largestFile = 'SELECT max(size_bytes) AS size_bytes FROM sandbox_file WHERE sandbox_id = $1';

/** What lies directly in a folder. $1: the sandbox, $2: the folder. By hand: a set; folders are made of the paths of files. */
export const listFolder = `
SELECT split_part(rest, '/', 1) AS name, bool_or(strpos(rest, '/') > 0) AS is_folder,
       sum(size_bytes) AS size_bytes, max(updated_at) AS updated_at
  FROM (SELECT substr(path, length($2) + 2) AS rest, size_bytes, updated_at FROM sandbox_file
         WHERE sandbox_id = $1 AND ${within('$2')}) AS inside
 GROUP BY name ORDER BY name`;

/** $1: the sandbox, $2: a path, $3: the folders it lies in. By hand: a range of paths. */
export const fileInTheWay = `
SELECT path FROM sandbox_file
 WHERE sandbox_id = $1 AND (path = ANY ($3) OR (${within('$2')})) LIMIT 1`;

/** $1 to $5: the columns but the time, which it gives. By hand: a step waits for it, and one statement is enough. */
export const putFile = `
INSERT INTO sandbox_file (${fileColumns}) VALUES ($1, $2, $3, $4, $5, now())
ON CONFLICT (sandbox_id, path) DO UPDATE SET key = excluded.key, size_bytes = excluded.size_bytes,
  sha256 = excluded.sha256, updated_at = excluded.updated_at
RETURNING updated_at`;

/** $1: the sandbox, $2: the path. By hand: it gives what it removed. */
export const removeFile = `
DELETE FROM sandbox_file WHERE sandbox_id = $1 AND path = $2 RETURNING ${fileColumns}`;
