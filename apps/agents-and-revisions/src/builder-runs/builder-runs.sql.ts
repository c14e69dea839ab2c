import { columnsOf } from '@aos/persistence';
import { BuilderRunEntity } from './builder-run.entity.js';

/** Compare-and-set: a build has one active run, as an index says. */
export const insertBuilderRun = `
  INSERT INTO builder_run (id, team_id, agent_id, build_id, status, phase, prompt, checkpoint_config,
                           answers, job_id, created_at)
  VALUES ($1, $2, $3, $4, 'pending', 'queued', $5, $6, '[]', $7, now())
  ON CONFLICT DO NOTHING RETURNING ${columnsOf(BuilderRunEntity)}`;

/** Polled while people wait for a proposal, of an agent that is still there. $1: team, $2: builder run. */
export const findBuilderRun = `
  SELECT ${columnsOf(BuilderRunEntity, 'builder_run')} FROM builder_run JOIN agent ON agent.id = builder_run.agent_id
   WHERE builder_run.id = $2 AND builder_run.team_id = $1 AND agent.deleted_at IS NULL`;

/** Compare-and-set. $1: team, $2: builder run, $3: from, $4: to, $5: answers, $6: job. */
export const resumeBuilderRun = `
  UPDATE builder_run SET status = $4, phase = 'drafting', pending_user_questions = NULL,
         answers = answers || $5::jsonb, job_id = $6
   WHERE id = $2 AND team_id = $1 AND status = ANY($3::text[]) RETURNING ${columnsOf(BuilderRunEntity)}`;

/** Compare-and-set. $1: team, $2: builder run, $3: from, $4: to. */
export const decideBuilderRun = `
  UPDATE builder_run SET status = $4, completed_at = now()
   WHERE id = $2 AND team_id = $1 AND status = ANY($3::text[]) RETURNING ${columnsOf(BuilderRunEntity)}`;

/**
 * Compare-and-set: of workers that want it one gets it. A lease that nobody has given back is that of a lost worker. $1:
 * builder run, $2: from, $3: to, $4: token, $5: milliseconds.
 */
export const claimBuilderRun = `
  UPDATE builder_run SET status = $3,
         lost_workers = lost_workers + CASE WHEN lease_token IS NULL THEN 0 ELSE 1 END,
         lease_token = $4, lease_until = now() + $5 * interval '1 ms',
         phase = CASE phase WHEN 'queued' THEN 'reading' ELSE phase END,
         started_at = coalesce(started_at, now())
   WHERE id = $1 AND (status = ANY($2::text[])
                      OR (status = $3 AND (lease_until IS NULL OR lease_until <= now())))
   RETURNING ${columnsOf(BuilderRunEntity)}`;

/** Compare-and-set on the lease. $1: builder run, $2: team, $3: token; `assignments` begin with $4. */
function writeWithLease(assignments: string): string {
  return `
  UPDATE builder_run SET ${assignments}
   WHERE id = $1 AND team_id = $2 AND lease_token = $3 AND status = 'running' RETURNING ${columnsOf(BuilderRunEntity)}`;
}

/** Ends the work on the run for now: the lease goes with it. $4: the status; `assignments` begin with $5. */
function endWork(assignments: string): string {
  return writeWithLease(
    `status = $4, lease_token = NULL, lease_until = NULL, failed_attempts = 0, lost_workers = 0, ${assignments}`,
  );
}

/** $4: milliseconds. */
export const renewBuilderRun = writeWithLease(`lease_until = now() + $4 * interval '1 ms'`);

/** $4: the phase, $5: a draft, or null if it is unchanged. */
export const enterPhase = writeWithLease(
  'phase = $4, draft_config = coalesce($5, draft_config), lost_workers = 0',
);

/** $5: the questions. */
export const askForBuilderRun = endWork(`phase = 'clarifying', pending_user_questions = $5`);

export const proposeDraft = endWork(`phase = 'done', proposed_config = draft_config, draft_config = NULL`);

/** $5: the error. */
export const failBuilderRun = endWork('error = $5, completed_at = now()');

/** $4: how many failed attempts are added. */
export const releaseBuilderRun = writeWithLease(
  'lease_token = NULL, lease_until = NULL, failed_attempts = failed_attempts + $4',
);

/** A set: runs of all teams that no worker has. $1: after which, $2: how many. */
export const unclaimedBuilderRuns = `
  SELECT id, job_id FROM builder_run
   WHERE id > $1 AND status IN ('pending', 'running') AND (lease_until IS NULL OR lease_until <= now())
   ORDER BY id LIMIT $2`;

/** Compare-and-set: of processes that give a run a new job one may. $1: builder run, $2: the old job, $3: the new one. */
export const replaceBuilderJob =
  'UPDATE builder_run SET job_id = $3 WHERE id = $1 AND job_id = $2 RETURNING id';
