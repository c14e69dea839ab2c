import { ModelError } from './errors/model-error.js';
import type { Model, ModelRequest, ModelTurn, TokenUsage } from './model.js';
import { retrying, type RetryOptions } from '../retries/retrying.js';

/** Tries a call again after a transient failure, and tells how often it was made and what all of it has used. */
export class RetryingModel implements Model {
  constructor(
    private readonly model: Model,
    private readonly options: Partial<RetryOptions> = {},
  ) {}

  async generate(request: ModelRequest): Promise<ModelTurn> {
    let attempts = 0;
    let wasted: TokenUsage | undefined;
    const call = async (attempt: number): Promise<ModelTurn> => {
      attempts = attempt;
      try {
        return await this.model.generate(request);
      } catch (error) {
        if (error instanceof ModelError) wasted = sumOf(wasted, error.options.usage);
        throw error;
      }
    };
    try {
      const turn = await retrying(call, {
        ...this.options,
        isTransient,
        retryAfterMs,
        signal: request.signal,
      });
      return { ...turn, usage: sumOf(wasted, turn.usage)!, attempts };
    } catch (error) {
      if (error instanceof ModelError) Object.assign(error.options, { attempts, usage: wasted });
      throw error;
    }
  }
}

function sumOf(a: TokenUsage | undefined, b: TokenUsage | undefined): TokenUsage | undefined {
  if (!a || !b) return a ?? b;
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}

function isTransient(error: unknown): boolean {
  return error instanceof ModelError && error.kind === 'transient';
}

function retryAfterMs(error: unknown): number | undefined {
  return error instanceof ModelError ? error.options.retryAfterMs : undefined;
}
