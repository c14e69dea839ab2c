import type { ModelMessage } from '../models/model.js';
import { maxOutputBytes, OutputTooLargeError } from '../models/errors/output-too-large-error.js';
import { isTooDeep, TooDeepError } from '../models/errors/too-deep-error.js';
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

/**
 * Fills in the texts of one line. A placeholder of eleven characters may stand for 200,000, and a line may hold
 * thousands: how long the texts become is known before any of them is made.
 */
export class Filling {
  private left = maxOutputBytes;

  constructor(private readonly known: Known) {}

  /** One pass: what is filled in is not looked at again. Names that are not known stay. */
  text(template: string): string {
    this.left -= this.filledLength(template);
    if (this.left < 0) throw new OutputTooLargeError('The text with its placeholders filled in');
    return template.replaceAll(placeholder, (_whole, name: keyof Known) => this.known[name]);
  }

  object(value: object): Record<string, unknown> {
    if (isTooDeep(value)) throw new TooDeepError();
    return this.fields(value);
  }

  private fields(value: object): Record<string, unknown> {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.deep(item)]));
  }

  /** Every string within a value, however deep; keys stay. */
  private deep(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.deep(item));
    return typeof value === 'object' && value !== null ? this.fields(value) : value;
  }

  private filledLength(template: string): number {
    let length = template.length;
    for (const [whole, name] of template.matchAll(placeholder)) {
      length += this.known[name as keyof Known].length - whole.length;
    }
    return length;
  }
}
