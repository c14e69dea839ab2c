import { severities, type Evaluation, type RubricResult } from '@aos/contracts';
import type { StoredResult } from './run-evaluation.entity.js';

export type Severity = RubricResult['severity'];

/** What the results of a run come to. */
export interface EvaluationOutcome {
  readonly status: Evaluation['status'];
  readonly passed: number;
  readonly total: number;
  readonly has_issues: boolean;
  /** Null where no custom rubric could be judged. */
  readonly custom_issues: boolean | null;
  /** The worst of the issues. */
  readonly severity: Severity | null;
  readonly results: readonly StoredResult[];
}

/** What could not be judged counts neither way. */
export function outcomeOf(
  status: EvaluationOutcome['status'],
  results: readonly StoredResult[],
): EvaluationOutcome {
  const counted = results.filter(({ passed }) => passed !== null);
  const failed = counted.filter(({ passed }) => passed === false);
  const custom = counted.filter(isCustom);
  return {
    status,
    passed: counted.length - failed.length,
    total: counted.length,
    has_issues: failed.length > 0,
    custom_issues: custom.length === 0 ? null : failed.some(isCustom),
    severity: severities.find((severity) => failed.some((result) => result.severity === severity)) ?? null,
    results,
  };
}

function isCustom({ rubric_id: id }: StoredResult): boolean {
  return id !== undefined;
}
