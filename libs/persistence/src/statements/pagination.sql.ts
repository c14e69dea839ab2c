/** About how large a page may be as JSON. */
const pageBytes = 4 * 1024 * 1024;

/**
 * The rows of a page as SQL, fewer where they would be too large together, but one at least. Each row tells in
 * `page_rows` how many there were before that.
 */
export function withinPageBytes(rows: string, { order, bytes }: { order: string; bytes: string }): string {
  return `SELECT * FROM (
    SELECT page.*, count(*) OVER ()::int AS page_rows,
           sum(${bytes}) OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (${rows}) AS page) AS page
   WHERE coalesce(bytes_before, 0) < ${pageBytes} ORDER BY ${order}`;
}
