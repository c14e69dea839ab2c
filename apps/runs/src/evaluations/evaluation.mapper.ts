import type { Evaluation, RubricResult } from '@aos/contracts';
import type { PublicEvaluation } from './evaluations.repository.js';
import type { StoredResult } from './run-evaluation.entity.js';

/** While a run is judged anew, what was found when it ended before says nothing of it. */
export function toEvaluation(row: PublicEvaluation): Evaluation {
  const isJudged = row.status !== 'in_progress';
  return {
    id: row.id,
    run_id: row.run_id,
    created_at: row.created_at.toISOString(),
    status: row.status,
    passed: isJudged ? row.passed : 0,
    total: isJudged ? row.total : 0,
    results: isJudged ? row.results.map(toResult) : [],
  };
}

function toResult({ rubric_id, key, title, version, passed, severity, comment }: StoredResult): RubricResult {
  return { rubric_id, key, title, version, passed, severity, comment };
}
