-- Written by `npm run sql`; do not edit.

-- countUsage (src/usage-records/usage-records.sql.ts)
  WITH input AS (
    SELECT *, (occurred_at AT TIME ZONE 'UTC')::date AS day
      FROM jsonb_to_recordset($1::jsonb) AS r(
        id uuid, team_id uuid, agent_id uuid, agent_name text, model text, occurred_at timestamptz, runs_started bigint, runs_reopened bigint, runs_completed bigint, runs_failed bigint, runs_stopped bigint, active_ms bigint, messages bigint, tool_calls bigint, input_tokens bigint, output_tokens bigint, human_requests bigint, webhook_deliveries bigint, mcp_calls bigint)),
  recorded AS (
    INSERT INTO usage_record (id, team_id, agent_id, model, day, runs_started, runs_reopened, runs_completed, runs_failed, runs_stopped, active_ms, messages, tool_calls, input_tokens, output_tokens, human_requests, webhook_deliveries, mcp_calls)
    SELECT id, team_id, agent_id, model, day, runs_started, runs_reopened, runs_completed, runs_failed, runs_stopped, active_ms, messages, tool_calls, input_tokens, output_tokens, human_requests, webhook_deliveries, mcp_calls FROM input
    ON CONFLICT (id) DO NOTHING
    RETURNING *),
  by_day AS (
    INSERT INTO daily_usage (team_id, day, model, runs_started, runs_reopened, runs_completed, runs_failed, runs_stopped, active_ms, messages, tool_calls, input_tokens, output_tokens, human_requests, webhook_deliveries, mcp_calls)
    SELECT team_id, day, model, sum(runs_started)::bigint, sum(runs_reopened)::bigint, sum(runs_completed)::bigint, sum(runs_failed)::bigint, sum(runs_stopped)::bigint, sum(active_ms)::bigint, sum(messages)::bigint, sum(tool_calls)::bigint, sum(input_tokens)::bigint, sum(output_tokens)::bigint, sum(human_requests)::bigint, sum(webhook_deliveries)::bigint, sum(mcp_calls)::bigint FROM recorded GROUP BY team_id, day, model ORDER BY team_id, day, model
    ON CONFLICT (team_id, day, model) DO UPDATE SET runs_started = daily_usage.runs_started + excluded.runs_started, runs_reopened = daily_usage.runs_reopened + excluded.runs_reopened, runs_completed = daily_usage.runs_completed + excluded.runs_completed, runs_failed = daily_usage.runs_failed + excluded.runs_failed, runs_stopped = daily_usage.runs_stopped + excluded.runs_stopped, active_ms = daily_usage.active_ms + excluded.active_ms, messages = daily_usage.messages + excluded.messages, tool_calls = daily_usage.tool_calls + excluded.tool_calls, input_tokens = daily_usage.input_tokens + excluded.input_tokens, output_tokens = daily_usage.output_tokens + excluded.output_tokens, human_requests = daily_usage.human_requests + excluded.human_requests, webhook_deliveries = daily_usage.webhook_deliveries + excluded.webhook_deliveries, mcp_calls = daily_usage.mcp_calls + excluded.mcp_calls),
  by_agent AS (
    INSERT INTO monthly_agent_usage (team_id, month, agent_id, model, runs_started, runs_reopened, runs_completed, runs_failed, runs_stopped, active_ms, messages, tool_calls, input_tokens, output_tokens, human_requests, webhook_deliveries, mcp_calls)
    SELECT team_id, date_trunc('month', day)::date, agent_id, model, sum(runs_started)::bigint, sum(runs_reopened)::bigint, sum(runs_completed)::bigint, sum(runs_failed)::bigint, sum(runs_stopped)::bigint, sum(active_ms)::bigint, sum(messages)::bigint, sum(tool_calls)::bigint, sum(input_tokens)::bigint, sum(output_tokens)::bigint, sum(human_requests)::bigint, sum(webhook_deliveries)::bigint, sum(mcp_calls)::bigint
      FROM recorded WHERE agent_id IS NOT NULL
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (team_id, month, agent_id, model) DO UPDATE SET runs_started = monthly_agent_usage.runs_started + excluded.runs_started, runs_reopened = monthly_agent_usage.runs_reopened + excluded.runs_reopened, runs_completed = monthly_agent_usage.runs_completed + excluded.runs_completed, runs_failed = monthly_agent_usage.runs_failed + excluded.runs_failed, runs_stopped = monthly_agent_usage.runs_stopped + excluded.runs_stopped, active_ms = monthly_agent_usage.active_ms + excluded.active_ms, messages = monthly_agent_usage.messages + excluded.messages, tool_calls = monthly_agent_usage.tool_calls + excluded.tool_calls, input_tokens = monthly_agent_usage.input_tokens + excluded.input_tokens, output_tokens = monthly_agent_usage.output_tokens + excluded.output_tokens, human_requests = monthly_agent_usage.human_requests + excluded.human_requests, webhook_deliveries = monthly_agent_usage.webhook_deliveries + excluded.webhook_deliveries, mcp_calls = monthly_agent_usage.mcp_calls + excluded.mcp_calls),
  agents AS (
    INSERT INTO metered_agent (agent_id, name)
    SELECT DISTINCT ON (agent_id) agent_id, agent_name FROM input
     WHERE agent_id IS NOT NULL AND agent_name IS NOT NULL ORDER BY agent_id, occurred_at DESC
    ON CONFLICT (agent_id) DO UPDATE SET name = excluded.name WHERE metered_agent.name <> excluded.name)
  SELECT DISTINCT team_id FROM recorded;

-- lockSumsOfDays (src/usage-records/usage-records.sql.ts)
SELECT 1 FROM daily_usage WHERE day >= $1 AND day < $2 ORDER BY team_id, day, model FOR UPDATE;

-- recountDays (src/usage-records/usage-records.sql.ts)
  WITH counted AS (
    SELECT team_id, day, model, sum(runs_started)::bigint AS runs_started, sum(runs_reopened)::bigint AS runs_reopened, sum(runs_completed)::bigint AS runs_completed, sum(runs_failed)::bigint AS runs_failed, sum(runs_stopped)::bigint AS runs_stopped, sum(active_ms)::bigint AS active_ms, sum(messages)::bigint AS messages, sum(tool_calls)::bigint AS tool_calls, sum(input_tokens)::bigint AS input_tokens, sum(output_tokens)::bigint AS output_tokens, sum(human_requests)::bigint AS human_requests, sum(webhook_deliveries)::bigint AS webhook_deliveries, sum(mcp_calls)::bigint AS mcp_calls
      FROM (SELECT * FROM usage_record WHERE day >= $1 AND day < $2) AS records GROUP BY team_id, day, model),
  known AS (SELECT * FROM daily_usage WHERE day >= $1 AND day < $2),
  wrong AS (
    SELECT team_id, day, model, coalesce(counted.runs_started, 0) AS runs_started, coalesce(counted.runs_reopened, 0) AS runs_reopened, coalesce(counted.runs_completed, 0) AS runs_completed, coalesce(counted.runs_failed, 0) AS runs_failed, coalesce(counted.runs_stopped, 0) AS runs_stopped, coalesce(counted.active_ms, 0) AS active_ms, coalesce(counted.messages, 0) AS messages, coalesce(counted.tool_calls, 0) AS tool_calls, coalesce(counted.input_tokens, 0) AS input_tokens, coalesce(counted.output_tokens, 0) AS output_tokens, coalesce(counted.human_requests, 0) AS human_requests, coalesce(counted.webhook_deliveries, 0) AS webhook_deliveries, coalesce(counted.mcp_calls, 0) AS mcp_calls
      FROM counted FULL JOIN known USING (team_id, day, model)
     WHERE (coalesce(counted.runs_started, 0), coalesce(counted.runs_reopened, 0), coalesce(counted.runs_completed, 0), coalesce(counted.runs_failed, 0), coalesce(counted.runs_stopped, 0), coalesce(counted.active_ms, 0), coalesce(counted.messages, 0), coalesce(counted.tool_calls, 0), coalesce(counted.input_tokens, 0), coalesce(counted.output_tokens, 0), coalesce(counted.human_requests, 0), coalesce(counted.webhook_deliveries, 0), coalesce(counted.mcp_calls, 0)) IS DISTINCT FROM (coalesce(known.runs_started, 0), coalesce(known.runs_reopened, 0), coalesce(known.runs_completed, 0), coalesce(known.runs_failed, 0), coalesce(known.runs_stopped, 0), coalesce(known.active_ms, 0), coalesce(known.messages, 0), coalesce(known.tool_calls, 0), coalesce(known.input_tokens, 0), coalesce(known.output_tokens, 0), coalesce(known.human_requests, 0), coalesce(known.webhook_deliveries, 0), coalesce(known.mcp_calls, 0))),
  mended AS (
    INSERT INTO daily_usage (team_id, day, model, runs_started, runs_reopened, runs_completed, runs_failed, runs_stopped, active_ms, messages, tool_calls, input_tokens, output_tokens, human_requests, webhook_deliveries, mcp_calls) SELECT team_id, day, model, runs_started, runs_reopened, runs_completed, runs_failed, runs_stopped, active_ms, messages, tool_calls, input_tokens, output_tokens, human_requests, webhook_deliveries, mcp_calls FROM wrong
    ON CONFLICT (team_id, day, model) DO UPDATE SET runs_started = excluded.runs_started, runs_reopened = excluded.runs_reopened, runs_completed = excluded.runs_completed, runs_failed = excluded.runs_failed, runs_stopped = excluded.runs_stopped, active_ms = excluded.active_ms, messages = excluded.messages, tool_calls = excluded.tool_calls, input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens, human_requests = excluded.human_requests, webhook_deliveries = excluded.webhook_deliveries, mcp_calls = excluded.mcp_calls
    RETURNING 1)
  SELECT count(*) FROM mended;

-- lockSumsOfAgents (src/usage-records/usage-records.sql.ts)
SELECT 1 FROM monthly_agent_usage WHERE month >= $1 AND month < $2 ORDER BY team_id, month, agent_id, model FOR UPDATE;

-- recountAgents (src/usage-records/usage-records.sql.ts)
  WITH counted AS (
    SELECT team_id, month, agent_id, model, sum(runs_started)::bigint AS runs_started, sum(runs_reopened)::bigint AS runs_reopened, sum(runs_completed)::bigint AS runs_completed, sum(runs_failed)::bigint AS runs_failed, sum(runs_stopped)::bigint AS runs_stopped, sum(active_ms)::bigint AS active_ms, sum(messages)::bigint AS messages, sum(tool_calls)::bigint AS tool_calls, sum(input_tokens)::bigint AS input_tokens, sum(output_tokens)::bigint AS output_tokens, sum(human_requests)::bigint AS human_requests, sum(webhook_deliveries)::bigint AS webhook_deliveries, sum(mcp_calls)::bigint AS mcp_calls
      FROM (SELECT *, date_trunc('month', day)::date AS month FROM usage_record
            WHERE day >= $1 AND day < $2 AND agent_id IS NOT NULL) AS records GROUP BY team_id, month, agent_id, model),
  known AS (SELECT * FROM monthly_agent_usage WHERE month >= $1 AND month < $2),
  wrong AS (
    SELECT team_id, month, agent_id, model, coalesce(counted.runs_started, 0) AS runs_started, coalesce(counted.runs_reopened, 0) AS runs_reopened, coalesce(counted.runs_completed, 0) AS runs_completed, coalesce(counted.runs_failed, 0) AS runs_failed, coalesce(counted.runs_stopped, 0) AS runs_stopped, coalesce(counted.active_ms, 0) AS active_ms, coalesce(counted.messages, 0) AS messages, coalesce(counted.tool_calls, 0) AS tool_calls, coalesce(counted.input_tokens, 0) AS input_tokens, coalesce(counted.output_tokens, 0) AS output_tokens, coalesce(counted.human_requests, 0) AS human_requests, coalesce(counted.webhook_deliveries, 0) AS webhook_deliveries, coalesce(counted.mcp_calls, 0) AS mcp_calls
      FROM counted FULL JOIN known USING (team_id, month, agent_id, model)
     WHERE (coalesce(counted.runs_started, 0), coalesce(counted.runs_reopened, 0), coalesce(counted.runs_completed, 0), coalesce(counted.runs_failed, 0), coalesce(counted.runs_stopped, 0), coalesce(counted.active_ms, 0), coalesce(counted.messages, 0), coalesce(counted.tool_calls, 0), coalesce(counted.input_tokens, 0), coalesce(counted.output_tokens, 0), coalesce(counted.human_requests, 0), coalesce(counted.webhook_deliveries, 0), coalesce(counted.mcp_calls, 0)) IS DISTINCT FROM (coalesce(known.runs_started, 0), coalesce(known.runs_reopened, 0), coalesce(known.runs_completed, 0), coalesce(known.runs_failed, 0), coalesce(known.runs_stopped, 0), coalesce(known.active_ms, 0), coalesce(known.messages, 0), coalesce(known.tool_calls, 0), coalesce(known.input_tokens, 0), coalesce(known.output_tokens, 0), coalesce(known.human_requests, 0), coalesce(known.webhook_deliveries, 0), coalesce(known.mcp_calls, 0))),
  mended AS (
    INSERT INTO monthly_agent_usage (team_id, month, agent_id, model, runs_started, runs_reopened, runs_completed, runs_failed, runs_stopped, active_ms, messages, tool_calls, input_tokens, output_tokens, human_requests, webhook_deliveries, mcp_calls) SELECT team_id, month, agent_id, model, runs_started, runs_reopened, runs_completed, runs_failed, runs_stopped, active_ms, messages, tool_calls, input_tokens, output_tokens, human_requests, webhook_deliveries, mcp_calls FROM wrong
    ON CONFLICT (team_id, month, agent_id, model) DO UPDATE SET runs_started = excluded.runs_started, runs_reopened = excluded.runs_reopened, runs_completed = excluded.runs_completed, runs_failed = excluded.runs_failed, runs_stopped = excluded.runs_stopped, active_ms = excluded.active_ms, messages = excluded.messages, tool_calls = excluded.tool_calls, input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens, human_requests = excluded.human_requests, webhook_deliveries = excluded.webhook_deliveries, mcp_calls = excluded.mcp_calls
    RETURNING 1)
  SELECT count(*) FROM mended;
