import { setTimeout as delay } from 'node:timers/promises';
import { describeProblems, Filling, parseSteps, type PlacedStep } from '@aos/agent-runtime';
import { figuresPage } from './figures-page.js';
import { withoutSteps } from './model-page-maker.js';
import {
  instructionsOf,
  PageFailure,
  type PageMaker,
  type PageOutcome,
  type PageRun,
  type PageSources,
  type PageTask,
} from './page-maker.js';

const charactersPerToken = 4;
const shownDays = 30;
const maxTitleLength = 80;
const maxResultLength = 20_000;
const figuresTool = 'team_figures';

/**
 * The built-in model: a page of the team's figures, without any surprise. A `steps` block in the latest instruction is
 * followed first: `say` and `finish` stand on the page, `tool` is called and shown, `ask` asks, `wait` waits, `fail` fails.
 */
export const scriptedPageMaker: PageMaker = {
  async make(task, sources, run) {
    const followed = await follow(task, sources, run);
    if ('questions' in followed) return { kind: 'questions', questions: followed.questions };
    const asked = instructionsOf(task).map(withoutSteps).filter(Boolean);
    const title = task.title ?? titleFrom(asked[0]);
    const html = figuresPage(await sources.figures(shownDays), {
      title,
      asked,
      answers: task.answers,
      said: followed.said,
      results: followed.results,
    });
    count(run, instructionsOf(task).join('\n'), html);
    return { kind: 'page', title, html, text: followed.said.at(-1) ?? 'Here is the page with your figures.' };
  },
};

interface Followed {
  readonly said: string[];
  readonly results: { tool: string; text: string }[];
}

async function follow(
  task: PageTask,
  sources: PageSources,
  run: PageRun,
): Promise<Followed | Extract<PageOutcome, { kind: 'questions' }>> {
  const instruction = instructionsOf(task).at(-1) ?? '';
  const parsed = parseSteps(instruction);
  if (parsed.kind === 'invalid') throw new PageFailure('invalid_script', describeProblems(parsed.problems));
  const followed: Followed = { said: [], results: [] };
  const known = { message: withoutSteps(instruction), result: '', answer: '' };
  for (const step of parsed.kind === 'steps' ? parsed.steps : []) {
    run.signal.throwIfAborted();
    const filling = new Filling(known);
    switch (step.kind) {
      case 'say':
        followed.said.push(filling.text(step.text));
        break;
      case 'finish':
        followed.said.push(filling.text(step.text));
        return followed;
      case 'fail':
        count(run, instruction, step.message);
        throw new PageFailure('failed_by_agent', filling.text(step.message));
      case 'wait':
        await delay(step.ms, undefined, { signal: run.signal });
        break;
      case 'tool':
        known.result = await called(step, filling.object(step.arguments), sources);
        followed.results.push({ tool: step.name, text: known.result });
        break;
      case 'ask': {
        const question = filling.text(step.question);
        const answer = task.answers.find((given) => given.question === question)?.answer;
        if (answer !== undefined) known.answer = answer;
        else if (task.mayAsk) {
          count(run, instruction, question);
          return asking(question, step.options);
        }
        break;
      }
      case 'approve':
        throw new PageFailure('invalid_script', `line ${step.line}: approve is not for artifacts`);
    }
  }
  return followed;
}

function asking(question: string, options: readonly string[]): Extract<PageOutcome, { kind: 'questions' }> {
  const choices = options.map((label) => ({ label }));
  const asked = choices.length === 0 ? { question } : { question, options: choices };
  return { kind: 'questions', questions: [asked] };
}

async function called(
  { name }: Extract<PlacedStep, { kind: 'tool' }>,
  args: Readonly<Record<string, unknown>>,
  sources: PageSources,
): Promise<string> {
  const outcome =
    name === figuresTool ? { result: await sources.figures(shownDays) } : await sources.call(name, args);
  const text = 'error' in outcome ? outcome.error : textOf(outcome.result);
  return text.slice(0, maxResultLength);
}

function textOf(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result, null, 2);
}

function titleFrom(instruction: string | undefined): string {
  if (!instruction) return 'Team overview';
  const characters = [...instruction];
  return characters.length > maxTitleLength
    ? `${characters.slice(0, maxTitleLength).join('')}…`
    : instruction;
}

/** No provider counts here. One token for four characters, so that metering can be tried offline. */
function count({ onUsage }: PageRun, read: string, written: string): void {
  const tokens = (text: string) => Math.ceil(text.length / charactersPerToken);
  onUsage({ inputTokens: tokens(read), outputTokens: tokens(written) });
}
