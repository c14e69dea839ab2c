/** A set: how many runs of a team have which status. $1: team. Ended ones from the ledger, open ones where they are. */
export const runsByStatus = `
  SELECT status, sum(runs)::int AS runs
    FROM (SELECT status, runs FROM run_tally WHERE team_id = $1
           UNION ALL
          SELECT status, 1 FROM run WHERE team_id = $1 AND status IN ('pending', 'running', 'waiting')) AS counted
   GROUP BY status`;

/** A set: the runs of a team that have ended, by day (UTC) and status, from an index. $1: team, $2: since. */
export const runsByDay = `
  SELECT to_char((completed_at AT TIME ZONE 'UTC')::date, 'YYYY-MM-DD') AS date,
         count(*) FILTER (WHERE status = 'completed')::int AS completed,
         count(*) FILTER (WHERE status = 'failed')::int AS failed,
         count(*) FILTER (WHERE status = 'stopped')::int AS stopped
    FROM run WHERE team_id = $1 AND status IN ('completed', 'failed', 'stopped') AND completed_at >= $2
   GROUP BY 1 ORDER BY 1`;

/** A set: the agents of a team with the most runs, from the ledger; a name from one of their runs. $1: team, $2: how many. */
export const runsByAgent = `
  SELECT agent_id, coalesce((SELECT agent_name FROM run WHERE team_id = $1 AND agent_id = busy.agent_id LIMIT 1), '')
           AS name, completed, failed, stopped
    FROM (SELECT agent_id,
                 coalesce(sum(runs) FILTER (WHERE status = 'completed'), 0)::int AS completed,
                 coalesce(sum(runs) FILTER (WHERE status = 'failed'), 0)::int AS failed,
                 coalesce(sum(runs) FILTER (WHERE status = 'stopped'), 0)::int AS stopped
            FROM run_tally WHERE team_id = $1
           GROUP BY agent_id ORDER BY sum(runs) DESC, agent_id LIMIT $2) AS busy
   ORDER BY completed + failed + stopped DESC, agent_id`;

/** A set: the queues of a team with the most pending cases, from the ledger. $1: team, $2: how many. */
export const casesByQueue = `
  SELECT queue.id AS queue_id, queue.name,
         coalesce(sum(cases) FILTER (WHERE status = 'pending'), 0)::int AS pending,
         coalesce(sum(cases) FILTER (WHERE status = 'completed'), 0)::int AS completed,
         coalesce(sum(cases) FILTER (WHERE status = 'failed'), 0)::int AS failed
    FROM case_queue AS queue LEFT JOIN case_tally AS tally ON tally.queue_id = queue.id
   WHERE queue.team_id = $1
   GROUP BY queue.id, queue.name ORDER BY pending DESC, queue.name LIMIT $2`;

/** A set: how the runs of a team were judged. $1: team, $2: since. */
export const evaluated = `
  SELECT count(*)::int AS evaluated, count(*) FILTER (WHERE has_issues)::int AS with_issues
    FROM run_evaluation WHERE team_id = $1 AND status = 'ready' AND ended_at >= $2`;
