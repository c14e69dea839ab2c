import { markRow } from '../run-row.sql.js';

/**
 * Marks runs that were judged with the worst of their issues; part of a statement in which `judged` gives run_id,
 * severity and `flags`, which tells the runs whose marks change: the indexes of a run are dear to write.
 */
export const markIssues = `${markRow}
     WHERE judged.flags AND run.id = judged.run_id`;
