/**
 * Marks runs that were judged with the worst of their issues; part of a statement in which `judged` gives run_id,
 * severity and `flags`, which tells the runs whose marks change: the indexes of a run are dear to write.
 */
export const markIssues = `
    UPDATE run SET has_issues = CASE WHEN judged.severity IS NOT NULL THEN true END, issue_severity = judged.severity
      FROM judged WHERE judged.flags AND run.id = judged.run_id`;
