/** Compare-and-set: of workers that want it one gets it. $1: artifact, $2: from, $3: to, $4: token, $5: milliseconds. */
export const claimArtifact = `
  UPDATE artifact SET status = $3, lease_token = $4, lease_until = now() + $5 * interval '1 ms',
         attempts = attempts + 1
   WHERE id = $1 AND (lease_until IS NULL OR lease_until <= now()) AND (status = ANY($2::text[]) OR status = $3)
   RETURNING *`;

/** Compare-and-set on the lease. $1: artifact, $2: token; `assignments` begin with $3. */
export function writeWithLease(assignments: string): string {
  return `
  UPDATE artifact SET ${assignments}
   WHERE id = $1 AND lease_token = $2 AND status = 'running' RETURNING *`;
}

/** A set: artifacts of all teams that no worker has. $1: after which, $2: how many. */
export const unclaimedArtifacts = `
  SELECT id, job_id FROM artifact
   WHERE id > $1 AND status IN ('pending', 'running') AND (lease_until IS NULL OR lease_until <= now())
   ORDER BY id LIMIT $2`;

/** Compare-and-set: of processes that give it a new job one may. $1: artifact, $2: the old job, $3: the new one. */
export const replaceArtifactJob =
  'UPDATE artifact SET job_id = $3 WHERE id = $1 AND job_id = $2 RETURNING id';
