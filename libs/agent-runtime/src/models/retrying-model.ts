import { ModelError } from './model-error.js';
import type { Model, ModelRequest, ModelTurn } from './model.js';
import { retrying, type RetryOptions } from '../retries/retrying.js';

/** Tries a call again after a transient failure, and tells how often it was made. */
export class RetryingModel implements Model {
  constructor(
    private readonly model: Model,
    private readonly options: Partial<RetryOptions> = {},
  ) {}

  async generate(request: ModelRequest): Promise<ModelTurn> {
    let attempts = 0;
    const call = (attempt: number): Promise<ModelTurn> => {
      attempts = attempt;
      return this.model.generate(request);
    };
    try {
      const turn = await retrying(call, {
        ...this.options,
        isTransient,
        retryAfterMs,
        signal: request.signal,
      });
      return { ...turn, attempts };
    } catch (error) {
      if (error instanceof ModelError) error.options.attempts = attempts;
      throw error;
    }
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof ModelError && error.kind === 'transient';
}

function retryAfterMs(error: unknown): number | undefined {
  return error instanceof ModelError ? error.options.retryAfterMs : undefined;
}
