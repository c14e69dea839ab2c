/** Part of the statement that deletes runs: their sessions, and what those showed. */
export const deletedBrowserRecords = `screenshots AS (
    DELETE FROM screenshot USING gone WHERE screenshot.run_id = gone.id),
  sessions AS (
    DELETE FROM browser_session USING gone WHERE browser_session.run_id = gone.id RETURNING browser_session.id),
  pages AS (DELETE FROM browser_page USING sessions WHERE browser_page.session_id = sessions.id)`;
