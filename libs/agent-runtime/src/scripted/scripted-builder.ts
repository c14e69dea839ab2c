import { generateRevision, type Question } from '@aos/contracts';
import type { TokenUsage } from '../models/model.js';
import type { AnsweredQuestion } from '../questions/answers.js';
import { estimatedTokens } from './estimated-tokens.js';
import { parseSteps, type Step } from './steps.js';
import { oneLine, writeStepsBlock } from './write-steps.js';

/** What a builder is to do: change the present procedure as the prompt says. */
export interface BuilderTask {
  readonly prompt: string;
  /** Empty while the agent has no procedure yet. */
  readonly procedure: string;
  readonly answers: readonly AnsweredQuestion[];
}

/** What a builder comes back with. */
export type BuilderOutcome =
  | { readonly kind: 'questions'; readonly questions: readonly Question[] }
  | { readonly kind: 'procedure'; readonly procedure: string };

/** What a caller asks for who says nothing; it tells nothing of a goal. */
const { prompt: defaultPrompt } = generateRevision.body.parse({});

const goalQuestion: Question = { header: 'Goal', question: 'What should the agent achieve?' };

const triggerQuestion: Question = {
  header: 'Trigger',
  question: 'When should the agent start to work?',
  options: [
    { label: 'When somebody starts a run' },
    { label: 'On a schedule', description: 'Daily, for example' },
    { label: 'When a case arrives in its queue' },
  ],
};

const successQuestion: Question = {
  header: 'Success',
  question: 'How can one tell that the work is done?',
  options: [
    { label: 'It has answered with a summary' },
    { label: 'A person has approved the result' },
    { label: 'Every case is completed or failed with a reason' },
  ],
};

const minGoalWords = 3;

const triggerWords = new RegExp(
  [
    String.raw`\b(when|whenever|every|each time|as soon as|upon|trigger\w*|schedule[ds]?|manually)\b`,
    String.raw`\b(hourly|daily|nightly|weekly|monthly|yearly)\b`,
    String.raw`\bon (a|an|any|each|new|receipt|arrival|demand|request|weekdays|workdays)\b`,
    String.raw`\bon (mon|tues|wednes|thurs|fri|satur|sun)days?\b`,
    String.raw`\bat \d{1,2}(:\d\d| ?[ap]m\b)`,
  ].join('|'),
  'i',
);

const successWords =
  /\b(until|so that|success\w*|succeed\w*|(done|finished|completed?) (when|once|if)|must|make sure|ensure[ds]?)\b/i;

/**
 * The builder of the model that needs no key: pure and without any surprise. It asks for what the prompt and the
 * present procedure leave open, each question once:
 * - the goal, when there is no procedure and the prompt is the default one or has fewer than three words;
 * - the trigger, when neither has a word of time or occasion ("when", "every", "daily", "on request", "at 9:00");
 * - the success condition, when neither has a word of an aim ("until", "so that", "must", "done when", "success").
 */
export function buildByScript(task: BuilderTask): BuilderOutcome {
  const answered = new Set(task.answers.map(({ question }) => question));
  const questions = openQuestions(task).filter(({ question }) => !answered.has(question));
  if (questions.length > 0) return { kind: 'questions', questions };
  return { kind: 'procedure', procedure: writeProcedure(task) };
}

/** As the built-in model counts: what it has read, and what it has written. */
export function usageOfScript(
  { prompt, procedure, answers }: BuilderTask,
  outcome: BuilderOutcome,
): TokenUsage {
  const read = answers.flatMap(({ question, answer }) => [question, answer]);
  const written =
    outcome.kind === 'procedure' ? [outcome.procedure] : outcome.questions.map(({ question }) => question);
  return {
    inputTokens: estimatedTokens(prompt, procedure, ...read),
    outputTokens: estimatedTokens(...written),
  };
}

function openQuestions(task: BuilderTask): Question[] {
  const known = `${task.prompt}\n${task.procedure}`;
  return [
    ...(task.procedure.trim() === '' && !namesGoal(task) ? [goalQuestion] : []),
    ...(triggerWords.test(known) ? [] : [triggerQuestion]),
    ...(successWords.test(known) ? [] : [successQuestion]),
  ];
}

function namesGoal({ prompt }: BuilderTask): boolean {
  return prompt !== defaultPrompt && oneLine(prompt).split(' ').length >= minGoalWords;
}

/** The present procedure stays; what is new comes behind it, and the steps are those it had, if they can be run. */
function writeProcedure(task: BuilderTask): string {
  const base = task.procedure.trim() === '' ? '# Operating procedure' : task.procedure.trimEnd();
  const sections = [taskSection(task), ...task.answers.map(answerSection)];
  const added = sections.filter((section) => !`${base}\n`.includes(`${section}\n`));
  return `${[withSteps(base, goalOf(task)), ...added].join('\n\n')}\n`;
}

function taskSection({ prompt }: BuilderTask): string {
  return `## Task\n\n${prompt}`;
}

function answerSection({ question, answer }: AnsweredQuestion): string {
  return `## ${oneLine(question)}\n\n${answer}`;
}

/** The new block comes first, so that no other one counts: neither a broken one nor one within the prompt. */
function withSteps(procedure: string, goal: string): string {
  const parsed = parseSteps(procedure);
  if (parsed.kind === 'steps' && parsed.steps.length > 0) return procedure;
  const lines = procedure.split(/\r?\n/);
  const place = titleEnd(lines);
  const block = writeStepsBlock(stepsTowards(goal));
  const rest = lines.slice(place).join('\n').trim();
  return [...lines.slice(0, place), '', ...block, '', rest].join('\n').trim();
}

/** Behind the title, if the procedure begins with one. */
function titleEnd(lines: readonly string[]): number {
  return lines[0]?.startsWith('# ') ? 1 : 0;
}

function stepsTowards(goal: string): Step[] {
  return [
    { kind: 'say', text: `This is the built-in scripted model. The goal: ${goal}` },
    { kind: 'finish', text: `Done: ${goal}` },
  ];
}

const maxGoalLength = 200;

function goalOf(task: BuilderTask): string {
  const answer = task.answers.find(({ question }) => question === goalQuestion.question)?.answer;
  const named = namesGoal(task) ? task.prompt : firstWords(task.procedure);
  const goal = oneLine(answer ?? named) || oneLine(task.prompt);
  const characters = [...goal];
  return characters.length > maxGoalLength ? `${characters.slice(0, maxGoalLength).join('')}…` : goal;
}

/** The first line of a procedure that says something. */
function firstWords(procedure: string): string {
  const line = procedure.split(/\r?\n/).find((text) => /\p{L}/u.test(text)) ?? '';
  return line.replace(/^[#>*`~\-\s]+/, '');
}
