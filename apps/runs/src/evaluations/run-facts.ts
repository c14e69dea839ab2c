import type { RunStatus } from '@aos/contracts';
import type { Severity } from './evaluation-outcome.js';

/** What the platform's rubrics look at. */
export interface RunFacts {
  readonly status: RunStatus;
  readonly has_result: boolean;
  /** The tools whose calls ended with an error, in order. */
  readonly failed_tools: readonly string[] | null;
  /** The steps that failed for the last time they may be tried. */
  readonly given_up: readonly string[] | null;
  /** A tool that was called again, right after, with equal arguments. */
  readonly repeated_tool: string | null;
  /** What the run says of its issues so far. */
  readonly issue_severity: Severity | null;
}

/** Of a run that has nothing to find fault with. */
export const cleanFacts: RunFacts = {
  status: 'completed',
  has_result: true,
  failed_tools: null,
  given_up: null,
  repeated_tool: null,
  issue_severity: null,
};
