import { platformRubrics, type RubricResult } from '@aos/contracts';
import type { RunFacts } from './run-facts.js';

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

/** What the facts of a run tell: a result for every platform rubric. */
export function platformResults(facts: RunFacts): RubricResult[] {
  return platformRubrics.map(({ key, title, severity }) => {
    const { passed, comment } = checks[key]!(facts);
    return { key, title, version, passed, severity, comment };
  });
}

const mostNamed = 5;

/** Each name once, with how often it came. */
function counted(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const shown = [...counts].slice(0, mostNamed).map(([name, n]) => (n === 1 ? name : `${name} (${n} times)`));
  const left = counts.size - shown.length;
  return [...shown, ...(left > 0 ? [`${left} more`] : [])].join(', ');
}
