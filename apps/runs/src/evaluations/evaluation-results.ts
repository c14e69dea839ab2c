import {
  type Evaluation,
  platformRubrics,
  type RubricResult,
  type RunStatus,
  severities,
} from '@aos/contracts';
import type { StoredResult } from './run-evaluation.entity.js';

export interface RunFacts {
  readonly status: RunStatus;
  readonly has_result: boolean;
  /** The tools whose calls ended with an error, in order. */
  readonly failed_tools: readonly string[] | null;
  /** The steps that failed for the last time they may be tried. */
  readonly given_up: readonly string[] | null;
  /** A tool that was called again, right after, with equal arguments. */
  readonly repeated_tool: string | null;
  /** The severity stored with the run. */
  readonly issue_severity: Severity | null;
}

export const cleanFacts: RunFacts = {
  status: 'completed',
  has_result: true,
  failed_tools: null,
  given_up: null,
  repeated_tool: null,
  issue_severity: null,
};

/** How a run is judged, by its facts alone, that has nothing to find fault with: always the same. */
export function cleanOutcome(): EvaluationOutcome {
  return outcomeOf('ready', platformResults(cleanFacts));
}

export type Severity = RubricResult['severity'];

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

/** Results without a verdict count neither way. */
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

/** Raised when what a platform rubric looks at changes. */
const version = 1;

type Found = Pick<RubricResult, 'passed' | 'comment'>;

/** How each platform rubric is judged, by its key. */
const checks: Readonly<Record<string, (facts: RunFacts) => Found>> = {
  no_tool_errors: ({ failed_tools: failed }) =>
    failed
      ? { passed: false, comment: `Ended with an error: ${counted(failed)}.` }
      : { passed: true, comment: 'No tool call ended with an error.' },
  no_retries_exhausted: ({ given_up: givenUp }) =>
    givenUp
      ? { passed: false, comment: `Given up after the last retry: ${counted(givenUp)}.` }
      : { passed: true, comment: 'No call was given up after its last retry.' },
  ended_with_answer: ({ status, has_result: hasResult }) =>
    hasResult && status !== 'failed'
      ? { passed: true, comment: 'The run has a result.' }
      : { passed: false, comment: status === 'failed' ? 'The run failed.' : 'The run has no result.' },
  no_repeated_tool_calls: ({ repeated_tool: tool }) =>
    tool === null
      ? { passed: true, comment: 'No tool was called again with the same arguments right after.' }
      : { passed: false, comment: `${tool} was called again with the same arguments right after.` },
};

/** Evaluates every platform rubric on the facts of a run. */
export function platformResults(facts: RunFacts): RubricResult[] {
  return platformRubrics.map(({ key, title, severity }) => {
    const { passed, comment } = checks[key]!(facts);
    return { key, title, version, passed, severity, comment };
  });
}

const maxNamed = 5;

/** Each name once, with how often it came. */
function counted(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const shown = [...counts].slice(0, maxNamed).map(([name, n]) => (n === 1 ? name : `${name} (${n} times)`));
  const left = counts.size - shown.length;
  return [...shown, ...(left > 0 ? [`${left} more`] : [])].join(', ');
}
