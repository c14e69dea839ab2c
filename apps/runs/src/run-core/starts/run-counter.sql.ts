/**
 * Part of a statement that makes runs: takes numbers, one write for each agent. $2: the agents, each with how many runs it
 * gets. By hand, in that statement: the lock on a counter ends with it. The agents are in order, so that no two batches
 * wait for each other.
 */
export const takenNumbers = `
    INSERT INTO run_counter (agent_id, last)
    SELECT agent_id, taken FROM jsonb_to_recordset($2::jsonb) AS a(agent_id uuid, taken int)
    ON CONFLICT (agent_id) DO UPDATE SET last = run_counter.last + excluded.last
    RETURNING agent_id, last`;

/**
 * The number of a run of `rows`, by how many runs of its agent come `behind` it; `counted` is what `takenNumbers` gives.
 * As one value, so that all counters are locked before anything else is written, and no row is joined.
 */
export function numberOf(rows: string): string {
  return `((SELECT jsonb_object_agg(agent_id, last) FROM counted) ->> ${rows}.agent_id::text)::int - ${rows}.behind`;
}

/** Whether there is any run without a number. The order leads to the index of those, whatever is known of the column. */
export const anyUnnumbered = `
SELECT WHERE (SELECT id FROM run WHERE run_number IS NULL ORDER BY agent_id, id LIMIT 1) IS NOT NULL`;

/** The oldest runs without a number of one agent, locked; $1: how many. By hand: a set. */
export const nextUnnumbered = `
SELECT id, agent_id FROM run
 WHERE run_number IS NULL
   AND agent_id = (SELECT agent_id FROM run WHERE run_number IS NULL ORDER BY agent_id, id LIMIT 1)
 ORDER BY id LIMIT $1 FOR UPDATE`;

/**
 * The numbers that runs will get which have none yet. $1: the team, $2: the runs. By hand: counts over a set. Of each agent
 * the older ones are counted once, and those between the runs are numbered in one pass. One that has got its number
 * meanwhile has that.
 */
export const futureNumbers = `
WITH bounds AS (
  SELECT agent_id, (array_agg(id ORDER BY id))[1] AS oldest, (array_agg(id ORDER BY id DESC))[1] AS newest
    FROM run WHERE id = ANY ($2::uuid[]) AND team_id = $1 GROUP BY agent_id),
counted AS MATERIALIZED (
  SELECT *, (SELECT count(*) FROM run AS older
              WHERE older.run_number IS NULL AND older.agent_id = bounds.agent_id AND older.id < bounds.oldest) AS before
    FROM bounds),
placed AS (
  SELECT run.id, run.agent_id, before + row_number() OVER (PARTITION BY run.agent_id ORDER BY run.id) AS place
    FROM counted JOIN run ON run.agent_id = counted.agent_id AND run.id BETWEEN counted.oldest AND counted.newest
   WHERE run.run_number IS NULL)
SELECT placed.id, (CASE WHEN place + coalesce(counter.former_given, 0) <= coalesce(counter.former, 0)
                        THEN place + coalesce(counter.former_given, 0)
                        ELSE coalesce(counter.last - counter.former, 0) + coalesce(counter.former_given, 0) + place
                    END)::int AS run_number
  FROM placed LEFT JOIN run_counter AS counter ON counter.agent_id = placed.agent_id
 WHERE placed.id = ANY ($2::uuid[])
 UNION ALL
SELECT id, run_number FROM run WHERE id = ANY ($2::uuid[]) AND team_id = $1 AND run_number IS NOT NULL`;
