import { counters } from './counters.js';

const columns = counters.join(', ');
const inputColumns = counters.map((counter) => `${counter} bigint`).join(', ');
const sums = counters.map((counter) => `sum(${counter})::bigint`).join(', ');

/** Adds to existing rows. */
function added(table: string): string {
  return counters.map((counter) => `${counter} = ${table}.${counter} + excluded.${counter}`).join(', ');
}

/**
 * A set: the records of many events, and the sums that they are part of. Only records that are new are summed. Rows are
 * locked in the order of their keys, so that replicas
 * that count for the same team do not wait for each other in a circle. $1: the records.
 */
export const countUsage = `
  WITH input AS (
    SELECT *, (occurred_at AT TIME ZONE 'UTC')::date AS day
      FROM jsonb_to_recordset($1::jsonb) AS r(
        id uuid, team_id uuid, agent_id uuid, agent_name text, model text, occurred_at timestamptz, ${inputColumns})),
  recorded AS (
    INSERT INTO usage_record (id, team_id, agent_id, model, day, ${columns})
    SELECT id, team_id, agent_id, model, day, ${columns} FROM input
    ON CONFLICT (id) DO NOTHING
    RETURNING *),
  by_day AS (
    INSERT INTO daily_usage (team_id, day, model, ${columns})
    SELECT team_id, day, model, ${sums} FROM recorded GROUP BY team_id, day, model ORDER BY team_id, day, model
    ON CONFLICT (team_id, day, model) DO UPDATE SET ${added('daily_usage')}),
  by_agent AS (
    INSERT INTO monthly_agent_usage (team_id, month, agent_id, model, ${columns})
    SELECT team_id, date_trunc('month', day)::date, agent_id, model, ${sums}
      FROM recorded WHERE agent_id IS NOT NULL
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (team_id, month, agent_id, model) DO UPDATE SET ${added('monthly_agent_usage')}),
  agents AS (
    INSERT INTO metered_agent (agent_id, name)
    SELECT DISTINCT ON (agent_id) agent_id, agent_name FROM input
     WHERE agent_id IS NOT NULL AND agent_name IS NOT NULL ORDER BY agent_id, occurred_at DESC
    ON CONFLICT (agent_id) DO UPDATE SET name = excluded.name WHERE metered_agent.name <> excluded.name)
  SELECT DISTINCT team_id FROM recorded`;

/** A set: the latest measurement of each team. $1: {team_id, bytes, measured_at}. */
export const storeMeasurements = `
  INSERT INTO team_storage (team_id, bytes, measured_at)
  SELECT DISTINCT ON (team_id) team_id, bytes, measured_at
    FROM jsonb_to_recordset($1::jsonb) AS r(team_id uuid, bytes bigint, measured_at timestamptz)
   ORDER BY team_id, measured_at DESC
  ON CONFLICT (team_id) DO UPDATE SET bytes = excluded.bytes, measured_at = excluded.measured_at
   WHERE team_storage.measured_at <= excluded.measured_at`;

/** A set: what each agent of a team has used in a month, its models together. $1: team, $2: month, $3: limit, $4: offset. */
export const agentsOfMonth = `
  SELECT agent_id, coalesce(metered_agent.name, '') AS name, sum(runs_started)::bigint AS runs,
         jsonb_agg(jsonb_build_object(
           'model', model, 'input_tokens', input_tokens, 'output_tokens', output_tokens) ORDER BY model) AS models
    FROM monthly_agent_usage LEFT JOIN metered_agent USING (agent_id)
   WHERE team_id = $1 AND month = $2
   GROUP BY agent_id, metered_agent.name
   ORDER BY sum(input_tokens + output_tokens) DESC, sum(runs_started) DESC, agent_id
   LIMIT $3 OFFSET $4`;

/** A count over a set, of a page whose rows are read beside it. $1: team, $2: month. */
export const countAgentsOfMonth = `
  SELECT count(DISTINCT agent_id) FROM monthly_agent_usage WHERE team_id = $1 AND month = $2`;

/**
 * A set whose age is that of its ids: the oldest records, if they are of days before the one given. Stops at the first
 * that is younger. $1: day, $2: how many.
 */
export const pruneRecords = `
  WITH oldest AS (SELECT id, day FROM usage_record ORDER BY id LIMIT $2),
  gone AS (DELETE FROM usage_record WHERE id IN (SELECT id FROM oldest WHERE day < $1) RETURNING id)
  SELECT count(*) FROM gone`;

/** Sums that are to be counted again. Waits until all that was counted is in them, and lets nothing be added meanwhile. */
function lockSums({ table, time, keys }: Sums): string {
  return `SELECT 1 FROM ${table} WHERE ${time} >= $1 AND ${time} < $2 ORDER BY ${keys.join(', ')} FOR UPDATE`;
}

/** Sums as the records say, where they say otherwise. Gives how many were wrong. */
function recountSums({ table, time, source, keys }: Sums): string {
  const key = keys.join(', ');
  const counted = counters.map((counter) => `coalesce(counted.${counter}, 0)`);
  const known = counters.map((counter) => `coalesce(known.${counter}, 0)`);
  return `
  WITH counted AS (
    SELECT ${key}, ${counters.map((counter) => `sum(${counter})::bigint AS ${counter}`).join(', ')}
      FROM (${source}) AS records GROUP BY ${key}),
  known AS (SELECT * FROM ${table} WHERE ${time} >= $1 AND ${time} < $2),
  wrong AS (
    SELECT ${key}, ${counters.map((counter, index) => `${counted[index]} AS ${counter}`).join(', ')}
      FROM counted FULL JOIN known USING (${key})
     WHERE (${counted.join(', ')}) IS DISTINCT FROM (${known.join(', ')})),
  mended AS (
    INSERT INTO ${table} (${key}, ${columns}) SELECT ${key}, ${columns} FROM wrong
    ON CONFLICT (${key}) DO UPDATE SET ${counters.map((counter) => `${counter} = excluded.${counter}`).join(', ')}
    RETURNING 1)
  SELECT count(*) FROM mended`;
}

interface Sums {
  readonly table: string;
  /** The column that tells the time. */
  readonly time: string;
  /** The records of that time, with the columns of the key. */
  readonly source: string;
  readonly keys: readonly string[];
}

const sumsOfDays: Sums = {
  table: 'daily_usage',
  time: 'day',
  source: 'SELECT * FROM usage_record WHERE day >= $1 AND day < $2',
  keys: ['team_id', 'day', 'model'],
};

const sumsOfAgents: Sums = {
  table: 'monthly_agent_usage',
  time: 'month',
  source: `SELECT *, date_trunc('month', day)::date AS month FROM usage_record
            WHERE day >= $1 AND day < $2 AND agent_id IS NOT NULL`,
  keys: ['team_id', 'month', 'agent_id', 'model'],
};

/** A set, locked in the order in which counting writes it. $1, $2: days, from and before. */
export const lockSumsOfDays = lockSums(sumsOfDays);
/** A set: the days whose sums are not those of their records. $1, $2: days, from and before. */
export const recountDays = recountSums(sumsOfDays);
/** A set, locked in the order in which counting writes it. $1, $2: months, from and before. */
export const lockSumsOfAgents = lockSums(sumsOfAgents);
/** A set: the agents' months whose sums are not those of their records. $1, $2: months, from and before. */
export const recountAgents = recountSums(sumsOfAgents);
