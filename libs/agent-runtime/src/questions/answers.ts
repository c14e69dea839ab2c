import type { Answers, Question } from '@aos/contracts';

export interface AnsweredQuestion {
  readonly question: string;
  readonly answer: string;
}

const maxNameLength = 200;
const maxNamed = 20;

/** The answers in the order of the questions; a list of choices becomes one text. */
export function answered(questions: readonly Question[], answers: Answers): AnsweredQuestion[] {
  return questions.map(({ question }) => ({ question, answer: textOf(answers, question) }));
}

/** Names every question that has no answer, and every answer that has no question. */
export function answerFaults(questions: readonly Question[], answers: Answers): string[] {
  const asked = new Set(questions.map(({ question }) => question));
  const missing = [...asked].filter((question) => textOf(answers, question) === '');
  const unknown = Object.keys(answers).filter((question) => !asked.has(question));
  const faults = [
    ...missing.map((question) => `answers.${named(question)}: is missing`),
    ...unknown.map((question) => `answers.${named(question)}: is not asked`),
  ];
  const more = faults.length - maxNamed;
  return more > 0 ? [...faults.slice(0, maxNamed), `and ${more} more`] : faults;
}

function textOf(answers: Answers, question: string): string {
  const answer = Object.hasOwn(answers, question) ? answers[question]! : '';
  const texts = typeof answer === 'string' ? [answer] : answer;
  return texts
    .map((text) => text.trim())
    .filter(Boolean)
    .join(', ');
}

function named(question: string): string {
  return question.length > maxNameLength ? `${question.slice(0, maxNameLength)}…` : question;
}
