/** Whether the server is a standby, or refuses writes for another reason. By hand: asked before there is a data source. */
export const takesNoWrites = `
  SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean AS readonly`;

/**
 * What a commit waits for. `standbys` counts those that this role may see; a role without `pg_monitor` sees that they are
 * there, and not their state. By hand: no table.
 */
export const replicationState = `
SELECT (SELECT count(*)::int FROM pg_stat_replication) AS standbys,
       current_setting('synchronous_standby_names') <> '' AS names_synchronous,
       current_setting('synchronous_commit') AS synchronous_commit`;
