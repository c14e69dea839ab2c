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
