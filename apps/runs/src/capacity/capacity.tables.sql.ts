/** Budgets of teams and storage reports. */
export const capacityTables: readonly string[] = [
  `
CREATE TABLE team_budget (
  team_id uuid PRIMARY KEY,
  max_runs bigint,
  stops boolean NOT NULL,
  tokens_used_up_until timestamptz(3)
)`,
  `
CREATE TABLE month_starts (
  team_id uuid NOT NULL,
  month date NOT NULL,
  starts bigint NOT NULL,
  PRIMARY KEY (team_id, month)
) WITH (fillfactor = 50)`,
  'CREATE TABLE storage_report (team_id uuid PRIMARY KEY, bytes bigint NOT NULL)',
];
