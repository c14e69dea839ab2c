/**
 * The column `eval_summary` of a statement that reads from `run`: one look by the key for each row that it gives.
 * A run that is judged anew has none until that is done.
 */
export const evalSummary = `
  (SELECT jsonb_build_object('passed', evaluation.passed, 'total', evaluation.total, 'has_issues', evaluation.has_issues)
     FROM run_evaluation AS evaluation
    WHERE evaluation.run_id = run.id AND evaluation.status = 'ready') AS eval_summary`;
