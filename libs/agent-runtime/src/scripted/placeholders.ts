import type { ModelMessage } from '../models/model.js';
import { describeAnswer } from '../tools/human-answer.js';
import { isHumanTool } from '../tools/human-tools.js';

/** What the placeholders of a script stand for; empty where there is nothing yet. */
export interface Known {
  readonly message: string;
  readonly result: string;
  readonly answer: string;
}

export function knownFrom(messages: readonly ModelMessage[]): Known {
  const said = messages.findLast((one) => one.role === 'user');
  const results = messages.filter((one) => one.role === 'tool');
  const answer = results.findLast(({ toolName }) => isHumanTool(toolName));
  return {
    message: said?.text ?? '',
    result: results.findLast(({ toolName }) => !isHumanTool(toolName))?.result ?? '',
    answer: answer ? describeAnswer(answer.result) : '',
  };
}

const placeholder = /\{\{(message|result|answer)\}\}/g;

/** One pass: what is filled in is not looked at again. Names that are not known stay. */
export function fillIn(text: string, known: Known): string {
  return text.replaceAll(placeholder, (_whole, name: keyof Known) => known[name]);
}

/** Every string within a value, however deep; keys stay. */
export function fillInDeep(value: unknown, known: Known): unknown {
  if (typeof value === 'string') return fillIn(value, known);
  if (Array.isArray(value)) return value.map((item) => fillInDeep(item, known));
  return typeof value === 'object' && value !== null ? fillInObject(value, known) : value;
}

export function fillInObject(value: object, known: Known): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillInDeep(item, known)]));
}
