/**
 * `transient`: the same call may succeed later (busy, away, too slow, a garbled answer).
 * `permanent`: it will not (a wrong key, an unknown model, a request the provider refuses).
 */
export type ModelErrorKind = 'transient' | 'permanent';

/** What went wrong with a model, without the request and without anything secret. */
export class ModelError extends Error {
  override readonly name = 'ModelError';

  constructor(
    readonly kind: ModelErrorKind,
    message: string,
    readonly options: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
  }
}
