import { newId } from '@aos/persistence';
import type { RunChange } from '../run-core/changes/run-change.js';
import type { RunChangePart } from '../run-core/changes/statement-parts.js';
import { cleanOutcome } from './evaluation-results.js';

/**
 * The column `eval_summary` of a statement that reads from `run`: one look by the key for each row that it gives.
 * A run that is judged anew has none until that is done.
 */
export const evalSummary = `
  (SELECT jsonb_build_object('passed', evaluation.passed, 'total', evaluation.total, 'has_issues', evaluation.has_issues)
     FROM run_evaluation AS evaluation
    WHERE evaluation.run_id = run.id AND evaluation.status = 'ready') AS eval_summary`;

const clean = cleanOutcome();
const { passed, total, has_issues: hasIssues } = clean;
const cleanSummary = JSON.stringify({ passed, total, has_issues: hasIssues });
const cleanResults = JSON.stringify(clean.results).replaceAll("'", "''");

/**
 * How a run that ends is judged: by hand, for it is a part of the statement that ends it. One that has nothing to find
 * fault with, and a build without rubrics of its team's, is judged there and then; every other is due to be judged from
 * that moment, and so is one that was judged when it ended before. One that was stopped did not end by itself, so
 * there is nothing to judge. Two equal tool calls in a row are looked for only where there are two.
 */
export const endedRunEvaluations: RunChangePart = {
  columns: [
    ['evaluation_id', 'uuid'],
    ['ends_clean', 'boolean'],
  ],
  values: (change) => ({
    evaluation_id: change.status === 'completed' || change.status === 'failed' ? newId() : null,
    ends_clean: endsClean(change),
  }),
  // Materialized: whether it is clean is told five times, and would be looked up as often.
  sql: `ended AS MATERIALIZED (
    SELECT changed.*, ends_clean AND tool_calls < 2 AND NOT EXISTS (
             SELECT FROM run_step WHERE run_step.run_id = changed.run_id AND run_step.status = 'failed') AS is_clean
      FROM changed WHERE evaluation_id IS NOT NULL),
  evaluated AS (
    INSERT INTO run_evaluation (run_id, id, team_id, agent_id, build_id, status, attempts, due_at, ended_at,
                                created_at, passed, total, has_issues, results)
    SELECT run_id, evaluation_id, team_id, agent_id, build_id, CASE WHEN is_clean THEN 'ready' ELSE 'in_progress' END,
           0, now(), completed_at, at, CASE WHEN is_clean THEN ${passed} ELSE 0 END,
           CASE WHEN is_clean THEN ${total} ELSE 0 END, CASE WHEN is_clean THEN ${hasIssues} END,
           CASE WHEN is_clean THEN '${cleanResults}'::jsonb ELSE '[]' END
      FROM ended
    ON CONFLICT (run_id) DO UPDATE SET status = 'in_progress', attempts = 0, due_at = now(),
      ended_at = excluded.ended_at
    RETURNING run_id, status)`,
  told: `CASE WHEN EXISTS (SELECT FROM evaluated WHERE evaluated.run_id = changed.run_id AND evaluated.status = 'ready')
            THEN '${cleanSummary}'::jsonb END AS eval_summary`,
};

/** As far as the change alone tells; what was stored before it is looked at where it is stored. */
function endsClean({ status, result, step, isJudgedByFacts = false }: RunChange): boolean {
  return isJudgedByFacts && status === 'completed' && Boolean(result) && step?.status !== 'failed';
}

/** Part of the statement that deletes runs. */
export const deletedEvaluations = `evaluations AS (
    DELETE FROM run_evaluation USING gone WHERE run_evaluation.run_id = gone.id)`;
