import { newId } from '@aos/persistence';
import type { RunChangePart } from '../run-core/statement-parts.js';

/**
 * A run that ends is due to be judged from that moment: by hand, for it is a part of the statement that ends it. One
 * that was stopped did not end by itself, so there is nothing to judge.
 */
export const dueEvaluations: RunChangePart = {
  columns: [['evaluation_id', 'uuid']],
  values: ({ status }) => ({
    evaluation_id: status === 'completed' || status === 'failed' ? newId() : null,
  }),
  sql: `to_be_judged AS (
    INSERT INTO run_evaluation (run_id, id, team_id, agent_id, build_id, status, attempts, due_at, ended_at,
                                created_at, passed, total, results)
    SELECT run_id, evaluation_id, team_id, agent_id, build_id, 'in_progress', 0, now(), completed_at, at, 0, 0, '[]'
      FROM changed WHERE evaluation_id IS NOT NULL
    ON CONFLICT (run_id) DO UPDATE SET status = 'in_progress', attempts = 0, due_at = now(),
      ended_at = excluded.ended_at)`,
};

/** Part of the statement that deletes runs. */
export const deletedEvaluations = `evaluations AS (
    DELETE FROM run_evaluation USING gone WHERE run_evaluation.run_id = gone.id)`;
