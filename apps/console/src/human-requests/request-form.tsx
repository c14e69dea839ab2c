import type { Answers, HumanRequest } from '@aos/client';
import { useState } from 'react';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { Markdown } from '../ui/markdown';
import { areAnswered, QuestionFields } from '../ui/question-fields';
import { TextField } from '../ui/field';

/** What a run has asked, to be answered here. It stays until the service has taken the answer. */
export function RequestForm({ request }: { request: HumanRequest }) {
  const client = useClient();
  const respond = useAction(client.respondToHumanRequest, {
    stale: [['inbox'], ['run', request.run_id], ['runs']],
    said: ({ human_request: { status } }) =>
      status === 'pending' ? 'Your vote is counted; others are needed.' : 'Answered. The run goes on.',
  });
  const send = (answer: { approved: boolean; comment?: string } | { answers: Answers }) =>
    respond.mutate({ run_id: request.run_id, request_id: request.request_id, ...answer });
  return (
    <div className="stack">
      {request.description && <Markdown text={request.description} />}
      {request.type === 'approval' ? (
        <ApprovalFields isBusy={respond.isPending} onSend={send} />
      ) : (
        <AnswerFields request={request} isBusy={respond.isPending} onSend={send} />
      )}
    </div>
  );
}

interface ApprovalFieldsProps {
  readonly isBusy: boolean;
  readonly onSend: (answer: { approved: boolean; comment?: string }) => void;
}

function ApprovalFields({ isBusy, onSend }: ApprovalFieldsProps) {
  const [comment, setComment] = useState('');
  const answer = (approved: boolean) => onSend({ approved, ...(comment === '' ? {} : { comment }) });
  return (
    <>
      <TextField label="Comment for the agent" hint="Optional." value={comment} onChange={setComment} />
      <div className="row">
        <button type="button" className="button primary" disabled={isBusy} onClick={() => answer(true)}>
          Approve
        </button>
        <button type="button" className="button danger" disabled={isBusy} onClick={() => answer(false)}>
          Deny
        </button>
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
