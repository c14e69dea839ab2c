import { randomUUID } from 'node:crypto';
import type { QueryableDatabase } from '@aos/testing';

/** How runs that were inserted are called; the newest has the highest number, and so is the first of a list. */
export function titleOf(number: number): string {
  return `Run number ${number}`;
}

/** Runs that have ended, one a minute until now, in one statement: by the API they would take minutes. */
export async function insertManyRuns(
  database: QueryableDatabase,
  teamId: string,
  count: number,
): Promise<void> {
  await database.query(
    `WITH made AS (
       INSERT INTO runs.run (id, run_number, team_id, agent_id, agent_name, build_id, build_digest, title, status, source, sandbox_id,
         user_id, human_in_the_loop_enabled, metadata, result, steps, tool_calls, input_tokens, output_tokens,
         script_position, message_seq, event_seq, reopened, limits_from_steps, limits_from_tokens, active_ms, dispatches,
         queued_at, created_at, started_at, completed_at, updated_at)
       SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(hash, 1, 3) || '8'
                 || substr(hash, 4, 15))::uuid,
              number, $1::uuid, $2::uuid, 'Archive', $3::uuid, 'none', 'Run number ' || number, 'completed', 'api', $3::uuid,
              $4::uuid, true, '{}', 'done', 1, 0, 120, 30, 1, 2, 2, 0, 0, 0, 900, 1, at, at, at, at, at
         FROM (SELECT number, md5(number::text) AS hash, now() - interval '1 minute' * ($5::int - number) AS at
                 FROM generate_series(1, $5::int) AS number) AS runs
       RETURNING id, team_id, title, agent_id, user_id, case_queue_id, source, status),
     titled AS (INSERT INTO runs.run_title (run_id, team_id, title) SELECT id, team_id, title FROM made)
     INSERT INTO runs.run_tally (team_id, agent_id, user_id, case_queue_id, source, status, runs)
     SELECT team_id, agent_id, user_id, case_queue_id, source, status, count(*) FROM made GROUP BY 1, 2, 3, 4, 5, 6`,
    [teamId, randomUUID(), randomUUID(), randomUUID(), count],
  );
}

export async function deleteManyRuns(database: QueryableDatabase, teamId: string): Promise<void> {
  for (const table of ['run_title', 'run_tally', 'run']) {
    await database.query(`DELETE FROM runs.${table} WHERE team_id = $1`, [teamId]);
  }
}
