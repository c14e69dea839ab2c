import type { HumanRequest, Run } from '@aos/client';
import { counted } from '../ui/format';
import type { CallCounts } from './failed-calls';

/** Why a run is where it is, in words, and what a person can do. */
export interface Why {
  readonly tone: 'good' | 'bad' | 'warn' | 'live' | '';
  readonly text: string;
  readonly advice?: string;
}

const stops: Readonly<Record<string, string>> = {
  requested: 'It was stopped by a person or a program.',
  agent_deleted: 'It was stopped because its agent was deleted.',
  parent_stopped: 'It was stopped with the run that started it.',
  parent_failed: 'It was stopped because the run that started it failed.',
  case_deleted: 'It was stopped because its case was deleted.',
  case_reset: 'It was stopped because its case was given out anew.',
  case_settled: 'It was stopped because its case was settled.',
};

export function whyOf(run: Run, request: HumanRequest | null, calls: CallCounts = noCalls): Why {
  switch (run.status) {
    case 'pending':
      return run.pending_reason === 'concurrency_limit'
        ? { tone: '', text: 'It waits: the team has as many runs at work as its plan allows.' }
        : { tone: '', text: 'It waits for a free worker.' };
    case 'running':
      return { tone: 'live', text: 'Running.' };
    case 'waiting':
      return waiting(request);
    case 'completed':
      return completed(calls);
    case 'failed':
      return {
        tone: 'bad',
        text: `It failed: ${run.error?.message ?? 'no reason was given'}`,
        advice: run.error?.advice ?? 'A message opens it again.',
      };
    case 'stopped':
      return {
        tone: '',
        text: stops[run.stop_reason ?? ''] ?? 'It was stopped.',
        advice: 'A message opens it again.',
      };
  }
}

const noCalls: CallCounts = { made: 0, failed: 0 };

/** The agent ended by itself. Whether it did what it should is another question, which its calls of tools help to answer. */
function completed({ made, failed }: CallCounts): Why {
  if (failed === 0) {
    return { tone: 'good', text: 'Completed.', advice: 'Send a message to continue.' };
  }
  const which =
    failed < made
      ? `${failed} of ${counted(made, 'tool call')}`
      : made === 1
        ? 'its tool call'
        : `all ${made} tool calls`;
  return {
    tone: 'warn',
    text: `Completed, but ${which} failed.`,
    advice: 'Look at the failed calls in the timeline. Send a message to continue.',
  };
}

function waiting(request: HumanRequest | null): Why {
  if (!request) return { tone: 'warn', text: 'It waits for a person.' };
  const kind = request.type === 'approval' ? 'approval' : 'answer';
  const whose = request.assignee === null ? 'somebody' : request.assignee;
  const votes = request.votes.filter(({ approved }) => approved).length;
  const quorum = request.required_approvals > 1 ? ` (${votes} of ${request.required_approvals} given)` : '';
  return {
    tone: 'warn',
    text: `It waits for the ${kind} of ${whose}${quorum}: ${request.title}`,
    advice:
      request.type === 'approval'
        ? 'Decide below. A message waits for the decision.'
        : 'Answer below. A message instead takes the question back.',
  };
}
