import type { Verdict } from '@aos/agent-runtime';
import type { BuildRubric } from './build-rubrics.js';
import type { StoredResult } from './run-evaluation.entity.js';

/** The rubrics as they were judged: what becomes of them later changes no result. */
export function customResults(
  rubrics: readonly BuildRubric[],
  verdicts: readonly Verdict[] | undefined,
): StoredResult[] {
  return rubrics.map(({ rubric_id, slug, title, version, severity }, index) => {
    const { passed, comment } = verdicts?.[index] ?? notJudged;
    return { rubric_id, slug, title, version, passed, severity, comment };
  });
}

const notJudged: Verdict = { passed: null, comment: 'The judge could not be asked.' };
