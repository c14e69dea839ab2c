interface ErrorDefinition {
  readonly status: number;
  /** Whether an answer with this code is kept and replayed for an Idempotency-Key. */
  readonly stored: boolean;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean;
  /** The default of Retry-After. */
  readonly retryAfterSeconds?: number;
}

/** Every `error` value that leaves the service, with its HTTP status. */
export const errorCatalogue = {
  invalid_request: { status: 400, stored: true, retryable: false },
  invalid_json: { status: 400, stored: false, retryable: false },
  invalid_webhook_url: { status: 400, stored: true, retryable: false },
  invalid_idempotency_key: { status: 400, stored: false, retryable: false },
  invalid_token: { status: 401, stored: false, retryable: false },
  insufficient_scope: { status: 403, stored: false, retryable: false },
  forbidden: { status: 403, stored: false, retryable: false },
  entitlement_exceeded: { status: 403, stored: true, retryable: false },
  budget_exceeded: { status: 403, stored: true, retryable: false },
  not_found: { status: 404, stored: true, retryable: false },
  method_not_allowed: { status: 405, stored: false, retryable: false },
  invalid_state: { status: 409, stored: true, retryable: false },
  already_exists: { status: 409, stored: true, retryable: false },
  limit_reached: { status: 409, stored: true, retryable: false },
  idempotency_conflict: { status: 409, stored: false, retryable: false },
  idempotency_in_progress: { status: 409, stored: false, retryable: true },
  not_configured: { status: 409, stored: true, retryable: false },
  payload_too_large: { status: 413, stored: false, retryable: false },
  unsupported_media_type: { status: 415, stored: false, retryable: false },
  rate_limited: { status: 429, stored: false, retryable: true },
  internal_error: { status: 500, stored: false, retryable: true },
  unavailable: { status: 503, stored: false, retryable: true, retryAfterSeconds: 1 },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorCatalogue;

export const errorCodes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]];

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorCatalogue, value);
}

export interface AppErrorOptions {
  readonly retryAfterSeconds?: number;
  /** How many a window allows, where another limit was passed than that of the credential. */
  readonly rateLimit?: number;
  readonly cause?: unknown;
}

/** The one error that services throw on purpose; its message is written for the person who called. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly options: AppErrorOptions;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    const definition: ErrorDefinition = errorCatalogue[code];
    this.options = {
      ...options,
      retryAfterSeconds: options.retryAfterSeconds ?? definition.retryAfterSeconds,
    };
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }

  get stored(): boolean {
    return errorCatalogue[this.code].stored;
  }

  toBody(): { error: ErrorCode; message: string } {
    return { error: this.code, message: this.message };
  }
}

/**
 * A foreign id, an unknown id and an id that is none at all get the very same answer, byte for byte. What was
 * looked for is said in the code that throws, not in the answer: an id of no kind at all has no kind to name.
 */
export function notFound(_what?: string): AppError {
  return new AppError('not_found', 'The requested resource does not exist.');
}
