const text = (description: string) => ({ description, schema: { type: 'string' } });
const integer = (description: string) => ({ description, schema: { type: 'integer' } });

/** For `components.headers`. */
export const answerHeaders = {
  'X-Request-Id': text(
    "The id of the request, as logs have it: the client's own `X-Request-Id` of 1 to 128 printable characters, or a new one",
  ),
  'RateLimit-Limit': integer('Requests that a window allows'),
  'RateLimit-Remaining': integer('Requests left in the window'),
  'RateLimit-Reset': integer('Seconds until the window is new'),
  'Retry-After': integer('Seconds to wait before another try'),
  'WWW-Authenticate': text(
    'A Bearer challenge (RFC 6750). `resource_metadata` names the document that says where to get a credential (RFC 9728)',
  ),
  'X-Ignored-Fields': text('Fields and query parameters of the request that the operation does not know'),
  'Preference-Applied': text(
    '`handling=strict` where the request asked for it with `Prefer`: unknown fields and parameters are 400 (RFC 7240)',
  ),
  'Idempotency-Replayed': {
    description: 'The answer is that of an earlier request with the same Idempotency-Key',
    schema: { type: 'string', enum: ['true'] },
  },
} as const;

export type AnswerHeader = keyof typeof answerHeaders;

/** Headers of every authenticated answer. */
export const limitHeaders: readonly AnswerHeader[] = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

/** Headers of every validated request. */
export const fieldHeaders: readonly AnswerHeader[] = ['X-Ignored-Fields', 'Preference-Applied'];

/** The headers of an answer by reference. Every answer has the id of its request. */
export function headersOf(...names: readonly AnswerHeader[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    (['X-Request-Id', ...names] as const).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}
