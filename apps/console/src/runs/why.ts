import type { HumanRequest, Run } from '@aos/client';
import { counted } from '../ui/format';
import type { CallCounts } from './failed-calls';

/** Why a run is where it is, in words, and what a person can do. */
export interface Why {
  readonly tone: 'good' | 'bad' | 'warn' | 'live' | '';
  readonly text: string;
  readonly advice?: string;
}

const failures: Readonly<Record<string, string>> = {
  model_error:
    'The model gave no answer. Where its provider said why, mend that: its key, its name, its limits. Then send a message to go on.',
  output_truncated:
    'The answer was too long for the model or the budget. Ask for less at a time, or choose a model or a budget (max_tokens) with room for more.',
  content_filtered:
    'The provider of the model filtered the answer. Change what is asked, or choose another model.',
  model_protocol_error:
    'The model cannot make calls of tools as they must be made. Choose another model, or fewer and simpler tools.',
  invalid_script:
    'The procedure has a line that the built-in model cannot follow. Mend it in a draft of the agent.',
  failed_by_agent: 'The agent itself gave up. Its last words say why.',
  timeout:
    'It took longer than its procedure allows (timeout_seconds). Raise the limit in a draft, or send a message to go on.',
  max_steps_exceeded:
    'It took more steps than its procedure allows (max_steps). It may go in a circle; look at its last steps.',
  budget_exceeded: 'It used as many tokens as one run may (max_tokens).',
  human_request_expired: 'Nobody answered in time. Send a message to go on without the answer.',
  agent_unavailable: 'An agent that it calls is gone. Take it out of the procedure, or make it again.',
  connection_unavailable: 'A connection that it needs is broken or gone. Mend it under Connections.',
  output_too_large: 'It wrote a text of more than 1 MiB.',
  limit_reached: 'It has as many messages as a run may have. Start another one.',
  worker_lost:
    'The processes that worked on it ended again and again. An operator should look at their logs.',
  internal_error: 'The service failed. An operator finds the reason in its logs.',
};

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
        advice: failures[run.error?.code ?? ''] ?? 'A message opens it again.',
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
