import type { HumanRequest } from '@aos/client';
import { useCredentialName } from '../data/lookups/use-credentials';
import { Status } from '../ui/status';
import { Ago, useNow } from '../ui/time';
import { answersIn, approvalsOf, outcomeOf } from './outcome';

/** Assignee, due date and the effect of a timeout. */
export function RequestFacts({ request }: { request: HumanRequest }) {
  const outcome = outcomeOf(request, useNow());
  return (
    <div className="row small quiet">
      <Status of={outcome} />
      {request.assignee && <span className="tag">for {request.assignee}</span>}
      {request.status === 'pending' && request.required_approvals > 1 && (
        <span>
          {approvalsOf(request)} of {request.required_approvals} approvals
        </span>
      )}
      {request.due_at && request.status === 'pending' && (
        <span>
          due <Ago at={request.due_at} />, then{' '}
          {request.on_timeout === 'fail'
            ? 'the run fails'
            : request.type === 'approval'
              ? 'it is denied'
              : 'the agent is told that nobody answered'}
        </span>
      )}
      <span>
        asked <Ago at={request.created_at} />
      </span>
      {request.responded_at && (
        <span>
          {outcome} <Ago at={request.responded_at} />
        </span>
      )}
    </div>
  );
}

export function RequestRecord({ request }: { request: HumanRequest }) {
  const nameOf = useCredentialName();
  const answers = answersIn(request);
  return (
    <>
      {request.votes.length > 0 && (
        <ul className="stack tight small">
          {request.votes.map(({ user_id: id, approved, comment, voted_at: at }) => (
            <li key={`${id} ${at}`}>
              <strong>{approved ? 'Approved' : 'Denied'}</strong> by {nameOf(id)},{' '}
              <span className="quiet">
                <Ago at={at} />
              </span>
              {comment && <>: {comment}</>}
            </li>
          ))}
        </ul>
      )}
      {answers.length > 0 && (
        <dl className="facts small">
          {answers.map(([question, answer]) => (
            <div key={question} className="fact">
              <dt>{question}</dt>
              <dd>{answer}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
