/** The timeline of the server, once for a statement. A promoted standby and a restored backup begin another. */
export const presentTimeline = '(SELECT server_timeline())';

/** What a run remembers of it: nothing where a commit waits for a standby, since a failover then loses none. */
export const keptTimeline = `(SELECT CASE
  WHEN current_setting('synchronous_standby_names') = '' OR current_setting('synchronous_commit') IN ('off', 'local')
  THEN server_timeline() END)`;

/** Whether steps and calls of a run may be forgotten, of the row that `run` names. */
export const isInDoubt = `coalesce(run.timeline <> ${presentTimeline}, false)`;
