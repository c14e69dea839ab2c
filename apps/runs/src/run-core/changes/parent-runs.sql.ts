import { wakeRow } from '../run-row.sql.js';
import { openStatuses } from '../run-state.js';

const open = openStatuses.map((status) => `'${status}'`).join(', ');

/**
 * A run that sleeps in a tool call is woken when none of its sub-runs is at work. The intent of the call lies behind
 * the last stored step; a run that sleeps because its script says so has none. $1:
 * the parents. By hand: a set, whenever sub-runs end.
 */
export const wakeParents = `
  ${wakeRow}
   WHERE id = ANY ($1::uuid[]) AND status = 'running' AND lease_token IS NULL AND wake_at > now()
     AND EXISTS (SELECT 1 FROM run_step WHERE run_step.run_id = run.id AND run_step.step_index = run.steps + 1
                    AND run_step.status = 'running')
     AND NOT EXISTS (SELECT 1 FROM run AS sub WHERE sub.parent_run_id = run.id AND sub.status IN (${open}))
  RETURNING id, team_id`;
