/** Browser sessions of runs and calls of case tools. */
export const toolTables: readonly string[] = [
  `
CREATE TABLE browser_session (
  id uuid PRIMARY KEY,
  run_id uuid NOT NULL,
  team_id uuid NOT NULL,
  started_at timestamptz(3) NOT NULL
)`,
  'CREATE INDEX browser_session_run ON browser_session (run_id)',
  `
CREATE TABLE browser_page (
  id uuid PRIMARY KEY,
  session_id uuid NOT NULL,
  url text NOT NULL,
  title text NOT NULL,
  opened_at timestamptz(3) NOT NULL,
  closed_at timestamptz(3)
)`,
  'CREATE INDEX browser_page_session ON browser_page (session_id, opened_at)',
  `
CREATE TABLE screenshot (
  id uuid PRIMARY KEY,
  run_id uuid NOT NULL,
  session_id uuid NOT NULL,
  page_id uuid NOT NULL,
  url text NOT NULL,
  title text NOT NULL,
  action text NOT NULL,
  captured_at timestamptz(3) NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  file_path text NOT NULL
)`,
  'CREATE INDEX screenshot_run ON screenshot (run_id, id)',
  `
CREATE TABLE case_call (
  run_id uuid NOT NULL,
  call_id text NOT NULL,
  result jsonb NOT NULL,
  PRIMARY KEY (run_id, call_id)
)`,
];
