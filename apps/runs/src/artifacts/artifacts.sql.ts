const due = 'FROM artifact WHERE next_refresh_at <= now()';

/** Whether there is any artifact that is due. */
export const anyArtifactDue = `SELECT ${due}`;

/**
 * A set: artifacts of all teams that are due to be refreshed, and by which clock. What another replica has locked is its own
 * to refresh. $1: how many.
 */
export const takeDueArtifacts = `
  SELECT *, now() AS looked_at ${due} ORDER BY next_refresh_at LIMIT $1 FOR UPDATE SKIP LOCKED`;

/**
 * Compare-and-set over a set: of the pages that no worker has, the one that has waited longest in the team for which the
 * fewest are being made. Of workers that want it one gets it, the others the next. $1: teams that are passed over, $2:
 * from, $3: to, $4: token, $5: milliseconds.
 */
export const claimNextArtifact = `
  WITH made AS (
    SELECT team_id, count(*) AS pages FROM artifact
     WHERE status = $3 AND status IN ('pending', 'running') AND lease_token IS NOT NULL AND lease_until > now()
     GROUP BY team_id)
  UPDATE artifact SET status = $3, lease_token = $4, lease_until = now() + $5 * interval '1 ms',
         attempts = attempts + 1
   WHERE id = (
     SELECT waiting.id FROM artifact AS waiting LEFT JOIN made USING (team_id)
      WHERE waiting.status IN ('pending', 'running') AND (waiting.status = ANY($2::text[]) OR waiting.status = $3)
        AND (waiting.lease_until IS NULL OR waiting.lease_until <= now()) AND waiting.team_id <> ALL($1::uuid[])
      ORDER BY coalesce(made.pages, 0), waiting.updated_at, waiting.id
      LIMIT 1 FOR UPDATE OF waiting SKIP LOCKED)
   RETURNING *`;

/** Compare-and-set on the lease. $1: artifact, $2: token; `assignments` begin with $3. */
function writeWithLease(assignments: string): string {
  return `
  UPDATE artifact SET ${assignments}
   WHERE id = $1 AND lease_token = $2 AND status = 'running' RETURNING *`;
}

/** Ends the work on the artifact for now: the lease goes with it. $3: the status; `assignments` begin with $4. */
function endWork(assignments: string): string {
  return writeWithLease(
    `status = $3, lease_token = NULL, lease_until = NULL, attempts = 0, updated_at = now(), ${assignments}`,
  );
}

/** $3: milliseconds. */
export const renewArtifact = writeWithLease(`lease_until = now() + $3 * interval '1 ms'`);

/** $4: the questions. */
export const askForArtifact = endWork('pending_user_questions = $4');

/** The version of the page is the next. $4: a title for an artifact that has none. */
export const completeArtifact =
  endWork(`current_version = coalesce(current_version, 0) + 1, title = coalesce(title, $4),
      error = NULL, failed_refreshes = 0,
      last_refresh_at = CASE request WHEN 'refresh' THEN now() ELSE last_refresh_at END`);

/** $4: the error. */
export const failArtifact = endWork(`error = $4,
      failed_refreshes = failed_refreshes + CASE WHEN is_scheduled THEN 1 ELSE 0 END`);

/** The work does not count as an attempt. */
export const handBackArtifact = writeWithLease(
  'lease_token = NULL, lease_until = NULL, attempts = attempts - 1',
);

/** $3: milliseconds until the next attempt. */
export const restArtifact = writeWithLease(`lease_token = NULL, lease_until = now() + $3 * interval '1 ms'`);

const unclaimed = `FROM artifact
     WHERE status IN ('pending', 'running') AND (lease_until IS NULL OR lease_until <= now())`;

/** Whether there is any artifact that no worker has. */
export const anyUnclaimed = `SELECT ${unclaimed}`;

/**
 * A set: artifacts of all teams that no worker has, the first few of each team: more than a process makes at once need no
 * job yet. $1: after which, $2: how many, $3: how many of a team.
 */
export const unclaimedArtifacts = `
  SELECT id, job_id FROM (
    SELECT id, job_id, row_number() OVER (PARTITION BY team_id ORDER BY updated_at, id) AS place ${unclaimed}) AS unclaimed
   WHERE id > $1 AND place <= $3
   ORDER BY id LIMIT $2`;

/** Compare-and-set: of processes that give it a new job one may. $1: artifact, $2: the old job, $3: the new one. */
export const replaceArtifactJob =
  'UPDATE artifact SET job_id = $3 WHERE id = $1 AND job_id = $2 RETURNING id';
