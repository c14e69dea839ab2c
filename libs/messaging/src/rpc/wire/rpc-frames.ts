import { AppError, isErrorCode } from '@aos/contracts';
import { z } from 'zod';

/** What an answer carries beside its payload. */
const answerHeadSchema = z.object({
  id: z.int(),
  sealed: z.boolean().optional(),
  status: z.int().optional(),
  replayed: z.boolean().optional(),
  retryAfterSeconds: z.number().optional(),
  /** The key under which the body waits, where it is too large to be published. */
  waitsAt: z.string().optional(),
  /** No answer yet: whoever took the request is still at it. */
  isAtWork: z.boolean().optional(),
  /** The code may be one that only a later version knows. */
  error: z
    .object({ code: z.string(), message: z.string(), retryAfterSeconds: z.number().optional() })
    .optional(),
});

const answerHeadsSchema = z.array(z.tuple([answerHeadSchema, z.int().min(0)]));

export type AnswerHead = z.output<typeof answerHeadSchema>;

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
  const heads = answerHeadsSchema.parse(JSON.parse(message.slice(0, lineEnd)));
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
