import { setTimeout as delay } from 'node:timers/promises';
import { ModelError } from './model-error.js';
import type { Model, ModelRequest, ModelTurn } from './model.js';
import { retryDelayMs } from './retry-delay.js';

export interface RetryOptions {
  readonly tries: number;
  /** Waits between tries; ends early when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const defaults: RetryOptions = {
  tries: 5,
  wait: (ms, signal) => delay(ms, undefined, { signal }),
};

/** Tries a call again after a transient failure, at most five times, at most a minute apart. */
export class RetryingModel implements Model {
  private readonly options: RetryOptions;

  constructor(
    private readonly model: Model,
    options: Partial<RetryOptions> = {},
  ) {
    this.options = { ...defaults, ...options };
  }

  async generate(request: ModelRequest): Promise<ModelTurn> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.model.generate(request);
      } catch (error) {
        if (!isTransient(error) || attempt >= this.options.tries || request.signal.aborted) throw error;
        await this.options.wait(retryDelayMs(attempt, error.options.retryAfterMs), request.signal);
      }
    }
  }
}

function isTransient(error: unknown): error is ModelError {
  return error instanceof ModelError && error.kind === 'transient';
}
