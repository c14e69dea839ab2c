/** The server and its timeline, once for a statement. A promoted standby and a restored backup begin another. */
export const presentTimeline = '(SELECT server_timeline())';

const synchronous = '/synchronous';

/** The timeline that a run stores, with a mark if commits wait for a standby: a failover then loses none. */
export const keptTimeline = `(SELECT server_timeline() || CASE
  WHEN current_setting('synchronous_standby_names') = '' OR current_setting('synchronous_commit') IN ('off', 'local')
  THEN '' ELSE '${synchronous}' END)`;

/** Whether steps and calls of a run may be forgotten, of the row that `run` names. */
export const isInDoubt = `coalesce(CASE
  WHEN run.timeline LIKE '%${synchronous}'
  THEN split_part(run.timeline, '/', 1) <> split_part(${presentTimeline}, '/', 1)
  ELSE run.timeline <> ${presentTimeline} END, false)`;
