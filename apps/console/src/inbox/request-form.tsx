import type { Answers, HumanRequest } from '@aos/client';
import { useState } from 'react';
import { useClient, useMay, useSession } from '../session/session-context';
import { useAction } from '../ui/action';
import { Markdown } from '../ui/markdown';
import { areAnswered, QuestionFields } from '../ui/question-fields';
import { TextField } from '../ui/field';
import { DenyButton } from './deny-button';
import { maxComment } from './max-comment';
import { approvalsOf, hasVoted } from './outcome';

interface RequestFormProps {
  readonly request: HumanRequest;
  /** Told when the service has taken the answer. */
  readonly onAnswered?: (request: HumanRequest) => void;
}

/** The form stays until the service has accepted the answer. */
export function RequestForm({ request, onAnswered }: RequestFormProps) {
  const client = useClient();
  const { credentialId } = useSession();
  const mayAnswer = useMay()('approvals:write');
  const respond = useAction(client.respondToHumanRequest, {
    stale: [['inbox'], ['run', request.run_id], ['runs']],
    said: ({ human_request: answered }) => saidOf(answered),
    onDone: ({ human_request: answered }) => onAnswered?.(answered),
  });
  const send = (answer: { approved: boolean; comment?: string } | { answers: Answers }) =>
    respond.mutate({ run_id: request.run_id, request_id: request.request_id, ...answer });
  return (
    <div className="stack">
      {request.description && <Markdown text={request.description} />}
      {!mayAnswer ? (
        <p className="small quiet">Your key does not allow you to answer (scope approvals:write).</p>
      ) : hasVoted(request, credentialId) ? (
        <p className="small quiet">
          You have voted. Missing: {request.required_approvals - approvalsOf(request)} of other keys.
        </p>
      ) : request.type === 'approval' ? (
        <ApprovalFields request={request} isBusy={respond.isPending} onSend={send} />
      ) : (
        <AnswerFields request={request} isBusy={respond.isPending} onSend={send} />
      )}
    </div>
  );
}

function saidOf({ status, type, response }: HumanRequest): string {
  if (status === 'pending') return 'Your approval is counted; more are needed.';
  if (type === 'question') return 'Answered. The run continues.';
  return response?.['approved'] === true
    ? 'Approved. The run continues.'
    : 'Denied. The agent is told why, and the run continues.';
}

interface ApprovalFieldsProps {
  readonly request: HumanRequest;
  readonly isBusy: boolean;
  readonly onSend: (answer: { approved: boolean; comment?: string }) => void;
}

function ApprovalFields({ request, isBusy, onSend }: ApprovalFieldsProps) {
  const [comment, setComment] = useState('');
  return (
    <>
      <TextField
        label="Comment for the agent"
        hint="Optional."
        maxLength={maxComment}
        value={comment}
        onChange={setComment}
      />
      <div className="row apart">
        <button
          type="button"
          className="button primary"
          disabled={isBusy}
          onClick={() => onSend({ approved: true, ...(comment === '' ? {} : { comment }) })}
        >
          Approve
        </button>
        <DenyButton
          title={request.title}
          reason={comment}
          isBusy={isBusy}
          onDeny={(reason) => {
            // Still there if the service does not take it.
            setComment(reason);
            onSend({ approved: false, comment: reason });
          }}
        />
      </div>
    </>
  );
}

interface AnswerFieldsProps {
  readonly request: HumanRequest;
  readonly isBusy: boolean;
  readonly onSend: (answer: { answers: Answers }) => void;
}

function AnswerFields({ request, isBusy, onSend }: AnswerFieldsProps) {
  const [answers, setAnswers] = useState<Answers>({});
  const questions = request.questions ?? [];
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onSend({ answers });
      }}
    >
      <QuestionFields questions={questions} answers={answers} onChange={setAnswers} />
      <div>
        <button
          type="submit"
          className="button primary"
          disabled={isBusy || !areAnswered(questions, answers)}
        >
          {isBusy ? 'Sending…' : 'Send the answer'}
        </button>
      </div>
    </form>
  );
}
