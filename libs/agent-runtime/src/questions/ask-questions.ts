import { questionSchema, type Question } from '@aos/contracts';
import { z } from 'zod';
import type { ToolCall, ToolDescription } from '../models/model.js';
import type { AnsweredQuestion } from './answers.js';

const maxQuestions = 10;

const { $schema: _draft, ...parameters } = z.toJSONSchema(z.object({ questions: z.array(questionSchema) }), {
  io: 'input',
});

/** How a model asks the person who gave it a task. */
export const askQuestions: ToolDescription = {
  name: 'ask_questions',
  description: `Asks the person who gave the task, 1 to ${maxQuestions} questions at once.`,
  parameters,
};

const questionsSchema = z.object({ questions: z.array(questionSchema).min(1).max(maxQuestions) });

/** The questions of such a call, or what the model is to be told about it. */
export function checkAskedQuestions(
  call: ToolCall,
  answers: readonly AnsweredQuestion[],
): { readonly questions: Question[] } | { readonly fault: string } {
  const { data, error } = questionsSchema.safeParse(call.arguments);
  if (error) return { fault: describe(error) };
  const texts = data.questions.map(({ question }) => question);
  // Answers are given by the text of the question.
  if (new Set(texts).size < texts.length) return { fault: 'Two questions have the same text.' };
  const known = answers.find(({ question }) => texts.includes(question));
  if (known) return { fault: `"${known.question}" has been answered: ${known.answer}` };
  if (!data.questions.flatMap(textsOf).every(isStorable)) {
    return { fault: 'A question contains a NUL or an unpaired surrogate.' };
  }
  return { questions: data.questions };
}

function textsOf({ question, header = '', options = [] }: Question): string[] {
  return [question, header, ...options.flatMap(({ label, description = '' }) => [label, description])];
}

/** By Postgres. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function describe({ issues }: z.ZodError): string {
  const faults = issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return `The arguments are not valid: ${faults.join('; ')}`;
}
