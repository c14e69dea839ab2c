/**
 * The public events of runs, as a table: those of the log, and of the version before. By hand, as whatever reads it; each
 * condition and order reaches the index of either.
 */
export const runEvents = `(
    SELECT run_id, run_seq AS seq, id, event, data, created_at FROM logged_event WHERE run_id IS NOT NULL
     UNION ALL
    SELECT run_id, seq, id, event, data, created_at FROM run_event)`;
