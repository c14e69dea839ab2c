/** Evaluations of runs. */
export const evaluationTables: readonly string[] = [
  // Each row is updated once. Frequent vacuums let scores be read from the index alone.
  `
CREATE TABLE run_evaluation (
  run_id uuid PRIMARY KEY,
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  build_id uuid NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL,
  due_at timestamptz(3) NOT NULL,
  token uuid,
  ended_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  passed integer NOT NULL,
  total integer NOT NULL,
  has_issues boolean,
  custom_issues boolean,
  results jsonb NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02)`,
  `CREATE INDEX run_evaluation_due ON run_evaluation (due_at) WHERE status = 'in_progress'`,
  `
CREATE INDEX run_evaluation_agent
  ON run_evaluation (team_id, agent_id, ended_at, build_id, has_issues, custom_issues)
  WHERE status = 'ready'`,
  `CREATE INDEX run_evaluation_build ON run_evaluation (team_id, build_id, has_issues) WHERE status = 'ready'`,
  `

ALTER TABLE run_evaluation
  ALTER results SET STATISTICS 0`,
];
