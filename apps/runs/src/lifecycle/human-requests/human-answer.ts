import { AppError, type Answers, type HumanRequest, type Question } from '@aos/contracts';
import type { HumanRequestEntity } from './human-request.entity.js';

export interface HumanAnswer {
  readonly approved?: boolean;
  readonly comment?: string;
  readonly answers?: Answers;
}

export type AnswerEffect =
  | { readonly kind: 'pending'; readonly votes: HumanRequest['votes'] }
  | {
      readonly kind: 'settled';
      readonly votes: HumanRequest['votes'];
      readonly response: NonNullable<HumanRequest['response']>;
      readonly approved?: boolean;
      readonly answers?: Answers;
    };

type Asked = Pick<HumanRequestEntity, 'type' | 'questions' | 'votes' | 'required_approvals' | 'status'>;

/** Applies an answer to a request. Refuses the wrong kind (400), a settled request and a second vote (409). */
export function effectOf(request: Asked, answer: HumanAnswer, userId: string, now: Date): AnswerEffect {
  const checked = request.type === 'approval' ? approvalOf(answer) : answersTo(request.questions!, answer);
  if (request.status !== 'pending') {
    throw new AppError('invalid_state', `The request is already ${request.status}.`);
  }
  if ('answers' in checked) {
    return {
      kind: 'settled',
      votes: request.votes,
      response: { answers: checked.answers },
      answers: checked.answers,
    };
  }
  return vote(request, checked, userId, now);
}

function vote(
  request: Asked,
  { approved, comment }: { approved: boolean; comment?: string },
  userId: string,
  now: Date,
): AnswerEffect {
  if (request.votes.some((earlier) => earlier.user_id === userId)) {
    throw new AppError('invalid_state', 'This credential has already voted.');
  }
  const mine = { user_id: userId, approved, comment: comment ?? null, voted_at: now.toISOString() };
  const votes = [...request.votes, mine];
  const approvals = votes.filter((each) => each.approved).length;
  if (approved && approvals < request.required_approvals) return { kind: 'pending', votes };
  const response = comment === undefined ? { approved } : { approved, comment };
  return { kind: 'settled', votes, response, approved };
}

function approvalOf({ approved, comment, answers }: HumanAnswer): { approved: boolean; comment?: string } {
  if (answers !== undefined) throw invalid('answers: an approval takes approved');
  if (approved === undefined) throw invalid('approved: an approval needs it');
  return { approved, comment };
}

function answersTo(questions: readonly Question[], { approved, answers }: HumanAnswer): { answers: Answers } {
  if (approved !== undefined) throw invalid('approved: a question takes answers');
  if (answers === undefined) throw invalid('answers: a question needs them');
  const faults = questions.flatMap(({ question, multi_select: many }) => {
    const answer = Object.hasOwn(answers, question) ? answers[question] : undefined;
    if (answer === undefined || answer.length === 0) return [`answers.${question}: is missing`];
    return Array.isArray(answer) && !many ? [`answers.${question}: takes one answer`] : [];
  });
  if (faults.length > 0) throw invalid(faults.join('; '));
  return { answers: Object.fromEntries(questions.map(({ question }) => [question, answers[question]!])) };
}

function invalid(message: string): AppError {
  return new AppError('invalid_request', message);
}
