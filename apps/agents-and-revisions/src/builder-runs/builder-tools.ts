import type { BuilderOutcome, BuilderTask, ToolCall, ToolDescription } from '@aos/agent-runtime';
import { buildConfigSchema, questionSchema, type Question } from '@aos/contracts';
import { z } from 'zod';

const mostQuestions = 10;

export const proposeProcedure: ToolDescription = {
  name: 'propose_procedure',
  description: 'Proposes the whole new operating procedure of the agent, in Markdown.',
  parameters: parametersOf(z.object({ procedure: z.string() })),
};

export const askQuestions: ToolDescription = {
  name: 'ask_questions',
  description: `Asks the person who gave the task, 1 to ${mostQuestions} questions at once.`,
  parameters: parametersOf(z.object({ questions: z.array(questionSchema) })),
};

/** What a tool call means, or what the model is to be told about it. */
export type CheckedCall = { readonly outcome: BuilderOutcome } | { readonly fault: string };

export function checkToolCall(
  call: ToolCall,
  offered: readonly ToolDescription[],
  task: BuilderTask,
): CheckedCall {
  if (!offered.some(({ name }) => name === call.name)) {
    return { fault: `There is no tool "${call.name}". Call ${namesOf(offered)}.` };
  }
  return call.name === askQuestions.name ? checkQuestions(call, task) : checkProposal(call);
}

export function namesOf(tools: readonly ToolDescription[]): string {
  return tools.map(({ name }) => name).join(' or ');
}

const proposalSchema = z.object({
  procedure: z
    .string()
    .trim()
    .min(1)
    .refine(isStorable, 'contains a NUL or an unpaired surrogate')
    .refine((input) => buildConfigSchema.safeParse({ data: { input } }).success, 'is too long'),
});

function checkProposal(call: ToolCall): CheckedCall {
  const { data, error } = proposalSchema.safeParse(call.arguments);
  return data ? { outcome: { kind: 'procedure', procedure: data.procedure } } : { fault: describe(error) };
}

const questionsSchema = z.object({ questions: z.array(questionSchema).min(1).max(mostQuestions) });

function checkQuestions(call: ToolCall, task: BuilderTask): CheckedCall {
  const { data, error } = questionsSchema.safeParse(call.arguments);
  if (error) return { fault: describe(error) };
  const texts = data.questions.map(({ question }) => question);
  // Answers are given by the text of the question.
  if (new Set(texts).size < texts.length) return { fault: 'Two questions have the same text.' };
  const known = task.answers.find(({ question }) => texts.includes(question));
  if (known) return { fault: `"${known.question}" has been answered: ${known.answer}` };
  if (!data.questions.flatMap(textsOf).every(isStorable)) {
    return { fault: 'A question contains a NUL or an unpaired surrogate.' };
  }
  return { outcome: { kind: 'questions', questions: data.questions } };
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

function parametersOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return json;
}
