import { boundedList, questionSchema, type Question } from '@aos/contracts';
import { z } from 'zod';
import { defineTool } from './define-tool.js';
import type { HumanRequestDraft, Tool, ToolContext, ToolOutcome } from './tool.js';

export const askHumanToolName = 'ask_human';
export const requestApprovalToolName = 'request_approval';

export function isHumanTool(name: string): boolean {
  return name === askHumanToolName || name === requestApprovalToolName;
}

const maxQuestions = 20;
const maxTitleLength = 500;
const maxDescriptionLength = 20_000;
const maxApprovals = 20;
/** ISO 8601 writes later years in a form of its own, which not everybody reads. An offset can lead there. */
const endOfYearsMs = Date.UTC(10_000, 0, 1);

const optionSchema = questionSchema.shape.options.unwrap().element;

/** The tools that ask a person. Their result comes later: the response as the person gave it. */
export function humanTools(now: () => number = Date.now): Tool[] {
  return [askHuman(now), requestApproval(now)];
}

function askHuman(now: () => number): Tool {
  return defineTool({
    name: askHumanToolName,
    instant: true,
    description:
      'Asks a person one or more questions and waits for the answers. Give either question, with options to choose from if there are any, or questions.',
    parameters: z
      .object({
        questions: boundedList(questionSchema, { min: 1, max: maxQuestions }).optional(),
        question: questionSchema.shape.question.optional(),
        options: boundedList(z.union([optionSchema.shape.label, optionSchema]), { max: 50 }).optional(),
        ...commonParameters(now),
      })
      .superRefine(checkQuestions),
    async execute(args, context) {
      const questions = args.questions ?? [shortForm(args.question ?? '', args.options)];
      const title = questions[0]?.header || questions[0]?.question || '';
      return ask(context, {
        type: 'question',
        title: cutTitle(title),
        description: null,
        questions,
        ...commonFields(args),
        requiredApprovals: 1,
      });
    },
  });
}

function requestApproval(now: () => number): Tool {
  return defineTool({
    name: requestApprovalToolName,
    instant: true,
    description: 'Asks a person to approve something, and waits for the decision. A denial has to be obeyed.',
    parameters: z.object({
      title: z.string().min(1).max(maxTitleLength),
      description: z.string().max(maxDescriptionLength).optional(),
      ...commonParameters(now),
      required_approvals: z.int().min(1).max(maxApprovals).default(1),
    }),
    async execute(args, context) {
      return ask(context, {
        type: 'approval',
        title: args.title,
        description: args.description ?? null,
        questions: null,
        ...commonFields(args),
        requiredApprovals: args.required_approvals,
      });
    },
  });
}

function commonParameters(now: () => number) {
  return {
    assignee: z.string().min(1).max(200).describe('A name or a group.').optional(),
    due_at: z.iso
      .datetime({ offset: true })
      .refine((text) => Date.parse(text) > now(), 'must be in the future')
      .refine((text) => Date.parse(text) < endOfYearsMs, 'must be before the year 10000')
      .describe('ISO 8601 with an offset. Without it the request waits for ever.')
      .optional(),
    on_timeout: z
      .enum(['deny', 'fail'])
      .describe('What an answer that is not given in time means: a denial, or the end of the run.')
      .default('deny'),
  };
}

interface CommonArguments {
  readonly assignee?: string;
  readonly due_at?: string;
  readonly on_timeout: 'deny' | 'fail';
}

function commonFields(args: CommonArguments): Pick<HumanRequestDraft, 'assignee' | 'dueAt' | 'onTimeout'> {
  const dueAt = args.due_at === undefined ? null : new Date(args.due_at);
  return { assignee: args.assignee ?? null, dueAt, onTimeout: args.on_timeout };
}

interface QuestionArguments {
  readonly questions?: readonly Question[];
  readonly question?: string;
  readonly options?: readonly unknown[];
}

function checkQuestions({ questions, question, options }: QuestionArguments, context: z.RefinementCtx): void {
  const fault = (path: string, message: string): void =>
    context.addIssue({ code: 'custom', path: [path], message });
  if ((questions === undefined) === (question === undefined)) {
    fault('question', 'exactly one of question and questions is needed');
  }
  if (questions && options) fault('options', 'belong to question; each of questions has its own');
  // Answers are given by the text of the question.
  const texts = questions?.map((one) => one.question) ?? [];
  if (new Set(texts).size < texts.length) fault('questions', 'two questions have the same text');
}

type Option = z.output<typeof optionSchema>;

function shortForm(question: string, options: readonly (string | Option)[] = []): Question {
  if (options.length === 0) return { question };
  return { question, options: options.map((one) => (typeof one === 'string' ? { label: one } : one)) };
}

/** Leaves no half of a surrogate pair at the end. */
function cutTitle(text: string): string {
  return text.slice(0, maxTitleLength).replace(/[\uD800-\uDBFF]$/, '');
}

function ask(context: ToolContext, request: HumanRequestDraft): ToolOutcome {
  if (context.humanInTheLoop) return { kind: 'ask', request };
  return { kind: 'error', message: 'This run was started without people in the loop: nobody can be asked.' };
}
