import type { HumanRequest } from '@aos/client';
import { Status } from '../ui/status';
import { Ago, useNow } from '../ui/time';

export function isOverdue({ status, due_at: due }: HumanRequest, now: number): boolean {
  return status === 'pending' && due !== null && Date.parse(due) < now;
}

/** Who is meant, until when, and what happens if nobody answers. */
export function RequestFacts({ request }: { request: HumanRequest }) {
  const now = useNow();
  const votes = request.votes.filter(({ approved }) => approved).length;
  return (
    <div className="row small quiet">
      <Status of={isOverdue(request, now) ? 'overdue' : request.status} />
      {request.assignee && <span className="tag">for {request.assignee}</span>}
      {request.required_approvals > 1 && (
        <span>
          {votes} of {request.required_approvals} approvals
        </span>
      )}
      {request.due_at && request.status === 'pending' && (
        <span>
          due <Ago at={request.due_at} />, then it is {request.on_timeout === 'fail' ? 'a failure' : 'denied'}
        </span>
      )}
      <span>
        asked <Ago at={request.created_at} />
      </span>
    </div>
  );
}
