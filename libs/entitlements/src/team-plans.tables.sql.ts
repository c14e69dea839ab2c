/** The plans of teams, as copied from the gateway. */
export const teamPlanTables: readonly string[] = [
  'CREATE TABLE team_plan (team_id uuid PRIMARY KEY, plan text NOT NULL)',
];
