/** Stores the pages of a session as they are now. $1: an array of pages. By hand, for it works on a set. */
export const savePages = `
INSERT INTO browser_page (id, session_id, url, title, opened_at, closed_at)
SELECT * FROM jsonb_to_recordset($1::jsonb) AS p(id uuid, session_id uuid, url text, title text,
  opened_at timestamptz(3), closed_at timestamptz(3))
ON CONFLICT (id) DO UPDATE SET url = excluded.url, title = excluded.title, closed_at = excluded.closed_at`;

/** Part of the statement that deletes runs: their sessions, and what those showed. */
export const deletedBrowserRecords = `screenshots AS (
    DELETE FROM screenshot USING gone WHERE screenshot.run_id = gone.id),
  sessions AS (
    DELETE FROM browser_session USING gone WHERE browser_session.run_id = gone.id RETURNING browser_session.id),
  pages AS (DELETE FROM browser_page USING sessions WHERE browser_page.session_id = sessions.id)`;
