import { errorBodySchema, errorCodes, type Operation } from '@aos/contracts';
import { toInlineJsonSchema, type JsonSchema } from './json-schema.js';
import { fieldHeaders, headersOf, limitHeaders, type AnswerHeader } from './answer-headers.js';
import { referenceTo, type SchemaComponents } from './schema-components.js';

const always = (): boolean => true;
// Bodies of GET are ignored.
const withBody = ({ mutating }: Operation): boolean => mutating;

interface Failure {
  readonly description: string;
  readonly comesFrom: (operation: Operation) => boolean;
  readonly headers: readonly AnswerHeader[];
}

/** Headers of authenticated answers. */
const common = [...limitHeaders, ...fieldHeaders] as const;
/** Headers of answers stored under an Idempotency-Key. */
const kept = [...common, 'Idempotency-Replayed'] as const;

const failures: Readonly<Record<number, Failure>> = {
  400: {
    description: 'The request is malformed; the message names each bad field',
    comesFrom: always,
    headers: kept,
  },
  401: {
    description: 'The bearer credential is missing, unknown, expired or revoked',
    comesFrom: always,
    headers: ['WWW-Authenticate'],
  },
  403: { description: 'The credential may not do this', comesFrom: always, headers: kept },
  404: {
    description: 'There is no such thing, or it is not for this credential to know',
    comesFrom: always,
    headers: kept,
  },
  409: {
    description: 'The request does not fit the present state',
    comesFrom: always,
    headers: [...kept, 'Retry-After'],
  },
  413: {
    description: 'The body is too large; the message names the limit',
    comesFrom: withBody,
    headers: common,
  },
  415: {
    description: 'The body is of another type, or compressed',
    comesFrom: withBody,
    headers: common,
  },
  429: { description: 'Too many requests', comesFrom: always, headers: [...common, 'Retry-After'] },
  500: { description: 'The service failed', comesFrom: always, headers: common },
  503: {
    description: 'The service is away or too busy for a moment; the same request may succeed later',
    comesFrom: always,
    headers: [...common, 'Retry-After'],
  },
};

export const errorReference = referenceTo('ApiError');

/** The errors that an operation can answer with, by reference. */
export function errorResponses(operation: Operation): JsonSchema {
  return Object.fromEntries(
    Object.entries(failures)
      .filter(([, { comesFrom }]) => comesFrom(operation))
      .map(([status]) => [status, { $ref: `#/components/responses/Error${status}` }]),
  );
}

/** For `components.responses`; the schema that they share becomes a component too. */
export function describeErrors(components: SchemaComponents): JsonSchema {
  const schema = toInlineJsonSchema(errorBodySchema, 'output') as { properties: JsonSchema };
  const error = { type: 'string', enum: errorCodes };
  components.add('ApiError', { ...schema, properties: { ...schema.properties, error } });
  return Object.fromEntries(
    Object.entries(failures).map(([status, { description, headers }]) => [
      `Error${status}`,
      {
        description,
        headers: headersOf(...headers),
        content: { 'application/json': { schema: errorReference } },
      },
    ]),
  );
}
