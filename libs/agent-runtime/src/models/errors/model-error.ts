import type { TokenUsage } from '../model.js';

/**
 * `transient`: the same call may succeed later (busy, away, too slow, a garbled answer).
 * `permanent`: it will not (a wrong key, an unknown model, a request the provider refuses).
 */
export type ModelErrorKind = 'transient' | 'permanent';

export interface ModelErrorOptions {
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
  /** How many calls it took to find out; set by the retrying caller. */
  attempts?: number;
  /** What answers have used that were of no use; of all calls, once the retrying caller has given up. */
  usage?: TokenUsage;
}

/** What went wrong with a model, without the request and without anything secret. */
export class ModelError extends Error {
  override readonly name: string = 'ModelError';

  constructor(
    readonly kind: ModelErrorKind,
    message: string,
    readonly options: ModelErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
  }
}
