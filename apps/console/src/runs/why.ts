import type { HumanRequest, Run } from '@aos/client';

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

export function whyOf(run: Run, request: HumanRequest | null): Why {
  switch (run.status) {
    case 'pending':
      return run.pending_reason === 'concurrency_limit'
        ? { tone: '', text: 'It waits: the team has as many runs at work as its plan allows.' }
        : { tone: '', text: 'It waits for a free worker.' };
    case 'running':
      return { tone: 'live', text: 'It is at work.' };
    case 'waiting':
      return waiting(request);
    case 'completed':
      return { tone: 'good', text: 'It is done.', advice: 'A message opens it again.' };
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
