import { outcomeOf, type EvaluationOutcome } from './evaluation-outcome.js';
import { platformResults } from './platform-results.js';

/** How a run is judged, by its facts alone, that has nothing to find fault with: always the same. */
export function cleanOutcome(): EvaluationOutcome {
  return outcomeOf(
    'ready',
    platformResults({
      status: 'completed',
      has_result: true,
      failed_tools: null,
      given_up: null,
      repeated_tool: null,
      issue_severity: null,
    }),
  );
}
