/** Whether the server is a standby, or refuses writes for another reason. By hand: asked before there is a data source. */
export const takesNoWrites = `
  SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean AS readonly`;
