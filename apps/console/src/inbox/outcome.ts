import type { HumanRequest } from '@aos/client';

/** Returns the outcome in words: a denied approval is not “answered”. */
export type Outcome = 'pending' | 'overdue' | 'approved' | 'denied' | 'answered' | 'cancelled' | 'expired';

type Settled = Pick<HumanRequest, 'type' | 'status' | 'response' | 'due_at'>;

export function outcomeOf({ type, status, response, due_at: due }: Settled, now: number): Outcome {
  if (status === 'pending') return due !== null && Date.parse(due) < now ? 'overdue' : 'pending';
  if (status === 'answered' && type === 'approval') {
    return response?.['approved'] === true ? 'approved' : 'denied';
  }
  return status;
}

export function answersIn({
  response,
}: Pick<HumanRequest, 'response'>): [question: string, answer: string][] {
  const answers = response?.['answers'];
  if (typeof answers !== 'object' || answers === null) return [];
  return Object.entries(answers).map(([question, answer]) => [
    question,
    Array.isArray(answer) ? answer.join(', ') : String(answer),
  ]);
}

type Quorum = Pick<HumanRequest, 'votes' | 'required_approvals'>;

/** How many have approved. */
export function approvalsOf({ votes }: Quorum): number {
  return votes.filter(({ approved }) => approved).length;
}

/** Whether the credential has voted, so that the service would take no second vote of it. */
export function hasVoted({ votes }: Pick<Quorum, 'votes'>, credentialId: string): boolean {
  return votes.some(({ user_id: id }) => id === credentialId);
}
