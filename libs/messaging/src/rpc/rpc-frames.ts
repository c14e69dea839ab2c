import { AppError, isErrorCode, type ErrorCode } from '@aos/contracts';

/** What a request carries beside its payload. */
export interface RequestHead {
  readonly id: number;
  /** The channel on which the caller waits. */
  readonly replyTo: string;
  readonly name: string;
  /** Milliseconds since the epoch; work on it does not begin later than this. */
  readonly deadlineAt: number;
  readonly sealed?: boolean;
  /** Whether the caller gets a large answer where it waits (`waitsAt`). */
  readonly fetches?: boolean;
  readonly requestId?: string;
  readonly traceparent?: string;
}

/** What an answer carries beside its payload. */
export interface AnswerHead {
  readonly id: number;
  readonly sealed?: boolean;
  readonly status?: number;
  readonly replayed?: boolean;
  readonly retryAfterSeconds?: number;
  /** The key under which the body waits, where it is too large to be published. */
  readonly waitsAt?: string;
  readonly error?: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly retryAfterSeconds?: number;
  };
}

export interface Answer {
  readonly head: AnswerHead;
  readonly body: string;
}

/**
 * Many answers in one message: the heads as JSON on the first line, then all bodies one after another, untouched.
 * A body is serialised once by the service that owns it and reaches the HTTP client as those very bytes.
 */
export function encodeAnswers(answers: readonly Answer[]): string {
  const heads = answers.map(({ head, body }) => [head, body.length]);
  return `${JSON.stringify(heads)}\n${answers.map(({ body }) => body).join('')}`;
}

export function decodeAnswers(message: string): Answer[] {
  const lineEnd = message.indexOf('\n');
  const heads = JSON.parse(message.slice(0, lineEnd)) as [AnswerHead, number][];
  let start = lineEnd + 1;
  return heads.map(([head, length]) => {
    const body = message.slice(start, start + length);
    start += length;
    return { head, body };
  });
}

/** An error as it crosses the wire; what is no AppError must not tell the caller anything. */
export function toWireError(error: unknown): NonNullable<AnswerHead['error']> {
  if (error instanceof AppError) {
    return { code: error.code, message: error.message, retryAfterSeconds: error.options.retryAfterSeconds };
  }
  return { code: 'internal_error', message: 'The service failed to answer.' };
}

export function fromWireError(error: NonNullable<AnswerHead['error']>): AppError {
  const code = isErrorCode(error.code) ? error.code : 'internal_error';
  return new AppError(code, error.message, { retryAfterSeconds: error.retryAfterSeconds });
}
