import { findFencedBlock } from './fenced-block.js';

/** What the built-in model does next; texts may hold `{{message}}`, `{{result}}` and `{{answer}}`. */
export type Step =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'tool'; readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly kind: 'ask'; readonly question: string; readonly options: readonly string[] }
  | { readonly kind: 'approve'; readonly title: string }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'fail'; readonly message: string }
  | { readonly kind: 'finish'; readonly text: string };

/** A step and where it stands in the procedure, counted from 1. */
export type PlacedStep = Step & { readonly line: number };

export interface StepProblem {
  readonly line: number;
  readonly message: string;
}

export type ParsedSteps =
  | { readonly kind: 'none' }
  | { readonly kind: 'steps'; readonly steps: readonly PlacedStep[] }
  | { readonly kind: 'invalid'; readonly problems: readonly StepProblem[] };

class StepSyntaxError extends Error {}

/** Reads the first fenced `steps` block of an operating procedure; every bad line is reported. */
export function parseSteps(procedure: string): ParsedSteps {
  const block = findFencedBlock(procedure.split(/\r?\n/), 'steps');
  if (!block) return { kind: 'none' };
  const firstLine = block.firstLine + 1;
  if (!block.closed) {
    return { kind: 'invalid', problems: [{ line: firstLine, message: 'the steps block is not closed' }] };
  }
  const steps: PlacedStep[] = [];
  const problems: StepProblem[] = [];
  for (const [index, text] of block.content.entries()) {
    const line = firstLine + 1 + index;
    if (text.trim() === '') continue;
    try {
      steps.push({ ...parseStep(text.trim()), line });
    } catch (error) {
      if (!(error instanceof StepSyntaxError)) throw error;
      problems.push({ line, message: error.message });
    }
  }
  return problems.length > 0 ? { kind: 'invalid', problems } : { kind: 'steps', steps };
}

/** `line 3: …; line 5: …` */
export function describeProblems(problems: readonly StepProblem[]): string {
  return problems.map(({ line, message }) => `line ${line}: ${message}`).join('; ');
}

type Parser = (rest: string) => Step;

const maxWaitDigits = 10;

const parsers: Readonly<Record<Step['kind'], Parser>> = {
  say: (rest) => ({ kind: 'say', text: needed(rest, 'say needs a text') }),
  tool: parseTool,
  ask: parseAsk,
  approve: (rest) => ({ kind: 'approve', title: needed(rest, 'approve needs a title') }),
  wait: (rest) => {
    if (!/^\d+$/.test(rest) || rest.length > maxWaitDigits) {
      throw new StepSyntaxError('wait needs a whole number of milliseconds');
    }
    return { kind: 'wait', ms: Number(rest) };
  },
  fail: (rest) => ({ kind: 'fail', message: needed(rest, 'fail needs a message') }),
  finish: (rest) => ({ kind: 'finish', text: needed(rest, 'finish needs a text') }),
};

function parseStep(line: string): Step {
  const [word, rest] = splitFirst(line);
  if (!Object.hasOwn(parsers, word)) {
    throw new StepSyntaxError(`unknown step "${word}": expected ${Object.keys(parsers).join(', ')}`);
  }
  return parsers[word as Step['kind']](rest);
}

function parseTool(rest: string): Step {
  const [name, json] = splitFirst(rest);
  needed(name, 'tool needs the name of a tool');
  return { kind: 'tool', name, arguments: json === '' ? {} : parseArguments(json) };
}

function parseArguments(json: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new StepSyntaxError('the arguments of the tool are not JSON', { cause: error });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new StepSyntaxError('the arguments of the tool must be a JSON object');
  }
  return value as Record<string, unknown>;
}

function parseAsk(rest: string): Step {
  const [question = '', ...options] = rest.split('|').map((part) => part.trim());
  needed(question, 'ask needs a question');
  if (options.includes('')) throw new StepSyntaxError('an option of ask is empty');
  return { kind: 'ask', question, options };
}

function needed(text: string, message: string): string {
  if (text === '') throw new StepSyntaxError(message);
  return text;
}

/** The first word of a line, and the rest without the blanks between. */
function splitFirst(line: string): [first: string, rest: string] {
  const blank = line.search(/\s/);
  return blank === -1 ? [line, ''] : [line.slice(0, blank), line.slice(blank).trim()];
}
