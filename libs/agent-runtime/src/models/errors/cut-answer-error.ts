import { ModelError } from './model-error.js';
import type { TokenUsage } from '../model.js';

/** What there is of an answer that is not whole; its calls must not be made. */
export interface PartialAnswer {
  readonly text: string;
  readonly thinking: string;
  readonly usage: TokenUsage;
}

/** A model stopped before its answer was whole; asking it again does not help. */
export abstract class CutAnswerError extends ModelError {
  constructor(
    message: string,
    readonly partial: PartialAnswer,
  ) {
    super('permanent', message, { usage: partial.usage });
  }
}

export class AnswerTruncatedError extends CutAnswerError {
  override readonly name: string = 'AnswerTruncatedError';

  /** `asked`: how many tokens the answer could have for the sake of the run's budget. */
  constructor(model: string, partial: PartialAnswer, asked: number | undefined) {
    const { outputTokens } = partial.usage;
    // Some endpoints report no usage.
    const length = outputTokens > 0 ? ` (${outputTokens} tokens)` : '';
    const limit =
      asked === undefined
        ? `what ${model} writes in one answer${length}`
        : `the ${asked} tokens that were left of the budget of the run (max_tokens)`;
    super(`The answer was cut off: it reached ${limit}.`, partial);
  }
}

export class AnswerFilteredError extends CutAnswerError {
  override readonly name: string = 'AnswerFilteredError';

  constructor(model: string, partial: PartialAnswer) {
    super(`${model} withheld its answer: its content filter was hit.`, partial);
  }
}
