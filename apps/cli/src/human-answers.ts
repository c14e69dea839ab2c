import type { Client, HumanRequest, InputOf, Question } from '@aos/client';
import { CommandError } from './exit-codes.js';
import type { Prompts } from './prompts.js';
import { requestLines } from './run-lines.js';
import { oneLine } from './safe-text.js';

export type Answer = Pick<InputOf<'respondToHumanRequest'>, 'approved' | 'comment' | 'answers'>;

export interface GivenAnswer {
  readonly approve?: boolean;
  readonly reject?: boolean;
  readonly comment?: string;
  readonly answer?: readonly string[];
}

export async function pendingRequestOf(client: Client, runId: string): Promise<HumanRequest> {
  const { pending_human_request: request, status } = await client.getRun({ run_id: runId });
  if (!request) throw new CommandError(`The run is ${status} and has asked nothing.`);
  return request;
}

/** The answer that the options give; what they lack is asked for at the terminal. */
export async function answerOf(
  request: HumanRequest,
  given: GivenAnswer,
  prompts: Prompts | undefined,
  signal?: AbortSignal,
): Promise<Answer> {
  if (given.approve && given.reject) throw new CommandError('Approve it or reject it, not both.');
  if (request.type === 'approval') {
    const isDecided = given.approve || given.reject;
    if (isDecided) return { approved: given.approve === true, comment: given.comment };
    if (!prompts) throw new CommandError('Say --approve or --reject.');
    return { approved: await askApproval(request, prompts, signal), comment: given.comment };
  }
  const questions = request.questions ?? [];
  const answers = given.answer ?? (prompts ? await askAll(request, questions, prompts, signal) : undefined);
  if (!answers) throw new CommandError('Give an --answer to each question.');
  if (answers.length !== questions.length) {
    throw new CommandError(`There are ${questions.length} questions and ${answers.length} answers.`);
  }
  return {
    answers: Object.fromEntries(
      questions.map((question, index) => [question.question, chosen(question, answers[index]!)]),
    ),
  };
}

/** A number is one of the options; several are separated by commas where several may be chosen. */
function chosen({ options = [], multi_select: isMany }: Question, text: string): string | string[] {
  const labelOf = (part: string) => options[Number(part) - 1]?.label ?? part;
  return isMany ? text.split(',').map((part) => labelOf(part.trim())) : labelOf(text);
}

async function askApproval(request: HumanRequest, prompts: Prompts, signal?: AbortSignal): Promise<boolean> {
  for (let lead = `${requestLines(request).join('\n')}\n`; ; lead = '') {
    const text = (await prompts.ask(`${lead}Approve? (yes/no) `, signal)).toLowerCase();
    if (['y', 'yes'].includes(text)) return true;
    if (['n', 'no'].includes(text)) return false;
  }
}

async function askAll(
  request: HumanRequest,
  questions: readonly Question[],
  prompts: Prompts,
  signal?: AbortSignal,
): Promise<string[]> {
  const answers: string[] = [];
  for (const question of questions) {
    const options = (question.options ?? []).map(({ label }, index) => `  ${index + 1}) ${oneLine(label)}`);
    const lines = [oneLine(question.question), ...options, question.multi_select ? 'Which (1,2)? ' : '> '];
    const lead = answers.length === 0 && request.title !== question.question ? [oneLine(request.title)] : [];
    answers.push(await prompts.ask([...lead, ...lines].join('\n'), signal));
  }
  return answers;
}
