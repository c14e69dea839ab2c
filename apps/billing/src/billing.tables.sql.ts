/** Usage records, totals and budgets. */
export const billingTables: readonly string[] = [
  `
CREATE TABLE usage_record (
  id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  agent_id uuid,
  model text NOT NULL,
  day date NOT NULL,
  runs_started bigint NOT NULL,
  runs_reopened bigint NOT NULL,
  runs_completed bigint NOT NULL,
  runs_failed bigint NOT NULL,
  runs_stopped bigint NOT NULL,
  active_ms bigint NOT NULL,
  messages bigint NOT NULL,
  tool_calls bigint NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  human_requests bigint NOT NULL,
  webhook_deliveries bigint NOT NULL,
  mcp_calls bigint NOT NULL
)`,
  'CREATE INDEX usage_record_day ON usage_record (day, team_id)',
  // Sums of a day are updated often: room in the page keeps the updates off the index.
  `
CREATE TABLE daily_usage (
  team_id uuid NOT NULL,
  day date NOT NULL,
  model text NOT NULL,
  runs_started bigint NOT NULL,
  runs_reopened bigint NOT NULL,
  runs_completed bigint NOT NULL,
  runs_failed bigint NOT NULL,
  runs_stopped bigint NOT NULL,
  active_ms bigint NOT NULL,
  messages bigint NOT NULL,
  tool_calls bigint NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  human_requests bigint NOT NULL,
  webhook_deliveries bigint NOT NULL,
  mcp_calls bigint NOT NULL,
  PRIMARY KEY (team_id, day, model)
) WITH (fillfactor = 70)`,
  `
CREATE TABLE monthly_agent_usage (
  team_id uuid NOT NULL,
  month date NOT NULL,
  agent_id uuid NOT NULL,
  model text NOT NULL,
  runs_started bigint NOT NULL,
  runs_reopened bigint NOT NULL,
  runs_completed bigint NOT NULL,
  runs_failed bigint NOT NULL,
  runs_stopped bigint NOT NULL,
  active_ms bigint NOT NULL,
  messages bigint NOT NULL,
  tool_calls bigint NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  human_requests bigint NOT NULL,
  webhook_deliveries bigint NOT NULL,
  mcp_calls bigint NOT NULL,
  PRIMARY KEY (team_id, month, agent_id, model)
) WITH (fillfactor = 70)`,
  'CREATE TABLE metered_agent (agent_id uuid PRIMARY KEY, name text NOT NULL)',
  `
CREATE TABLE team_storage (
  team_id uuid PRIMARY KEY,
  bytes bigint NOT NULL,
  measured_at timestamptz(3) NOT NULL
)`,
  `
CREATE TABLE budget (
  team_id uuid PRIMARY KEY,
  max_tokens bigint,
  max_runs bigint,
  on_reached text NOT NULL,
  period date NOT NULL,
  is_warned boolean NOT NULL,
  is_reached boolean NOT NULL,
  are_tokens_used_up boolean NOT NULL,
  updated_at timestamptz(3) NOT NULL
)`,
];
