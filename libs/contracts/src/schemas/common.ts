import { z } from 'zod';
import { named } from './named.js';

/** A UUID in any case; the application makes version 7, so that ids sort by time. */
export const idSchema = z.uuid().toLowerCase();

export const timestampSchema = z.iso.datetime({ precision: 3 });

export const errorBodySchema = named('ApiError', z.strictObject({ error: z.string(), message: z.string() }));

/** An object whose contents are checked elsewhere, or by nobody: `z.record` would look at each of them, and copy it. */
export const anyObjectSchema = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'Expected an object',
);

/** Marks a field whose value must not lie readable in Redis, in a stored answer or in a log. */
export const secretMark = 'x-secret';

export function secret<T extends z.ZodType>(schema: T): T {
  return schema.meta({ [secretMark]: true }) as T;
}

/** Whether what is asked and what is answered have fields that must not lie readable anywhere. */
export interface Secrets {
  readonly request: boolean;
  readonly response: boolean;
}

/** Looked for when first asked for: to look costs a millisecond, and every process declares all operations at its start. */
export function secretsIn(request: readonly (z.ZodType | undefined)[], response: z.ZodType): Secrets {
  let inRequest: boolean | undefined;
  let inResponse: boolean | undefined;
  return {
    get request() {
      return (inRequest ??= request.some((schema) => hasSecret(schema, 'input')));
    },
    get response() {
      return (inResponse ??= hasSecret(response, 'output'));
    },
  };
}

function hasSecret(schema: z.ZodType | undefined, io: 'input' | 'output'): boolean {
  if (schema === undefined) return false;
  const json = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return JSON.stringify(json).includes(`"${secretMark}":true`);
}

/** Path ids. One that is no UUID answers as an unknown one does: 404, never 400. */
export function idParams<const K extends string>(...names: K[]) {
  return z.object(Object.fromEntries(names.map((name) => [name, idSchema])) as Record<K, typeof idSchema>);
}

const wholeNumber = /^-?\d{1,15}$/;

/** An integer in the query string, where everything is text. */
export function queryInteger(options: IntegerRange & { default: number }) {
  return z.preprocess(toInteger, integerWithin(options).default(options.default));
}

/** The same without a default. */
export function optionalQueryInteger(range: IntegerRange = {}) {
  return z.preprocess(toInteger, integerWithin(range).optional());
}

interface IntegerRange {
  readonly min?: number;
  readonly max?: number;
}

function integerWithin({ min = 0, max = Number.MAX_SAFE_INTEGER }: IntegerRange) {
  return z.int().min(min).max(max);
}

function toInteger(text: unknown): unknown {
  return typeof text === 'string' && wholeNumber.test(text) ? Number(text) : text;
}

/**
 * Refuses fields of an object that other platforms have, with what happens here instead: a client that sets one must not
 * believe in something that does not happen.
 */
export function refusing<T extends z.ZodType>(fields: Readonly<Record<string, string>>, schema: T): T {
  const refuse = (given: unknown, context: z.core.$RefinementCtx): unknown => {
    if (typeof given !== 'object' || given === null) return given;
    for (const [name, instead] of Object.entries(fields)) {
      if ((given as Record<string, unknown>)[name] === undefined) continue;
      const message = `Not supported: ${instead}. Leave it out.`;
      context.issues.push({ code: 'custom', path: [name], message, input: given });
    }
    return given;
  };
  return z.preprocess(refuse, schema) as unknown as T;
}

/** `true` or `false` in the query string. */
export const queryBoolean = z.preprocess(
  (text) => (text === 'true' ? true : text === 'false' ? false : text),
  z.boolean().optional(),
);

/** A comma list in the query string, of at least one. */
export function queryList<T extends z.ZodType>(item: T) {
  return z.preprocess(
    (text) => (typeof text === 'string' ? text.split(',').map((part) => part.trim()) : text),
    boundedList(item, { min: 1, max: 50 }).optional(),
  );
}

/** A moment in the query string: ISO 8601 with an offset or `Z`, to the millisecond or less. */
export const queryTimestamp = z.iso.datetime({ offset: true }).optional();

/** `limit` and `offset` with the default and maximum of one list. */
export function pageQuery(limits: { default: number; max: number } = { default: 100, max: 100 }) {
  return {
    limit: queryInteger({ min: 1, max: limits.max, default: limits.default }),
    offset: queryInteger({ default: 0 }),
  };
}

/** `{<plural>: [...], total, limit, offset}`, the shape of every list but the specification's own four. */
export function listOf<const K extends string, T extends z.ZodType>(plural: K, item: T) {
  return z.object({
    [plural]: z.array(item),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
  } as Record<K, z.ZodArray<T>> & { total: z.ZodInt; limit: z.ZodInt; offset: z.ZodInt });
}

/**
 * A list in a request. One that is too long is refused before its items are looked at: 500 000 bad items, which fit
 * into a body, took zod 2.8 s.
 */
export function boundedList<T extends z.ZodType>(item: T, { min = 0, max }: { min?: number; max: number }) {
  const refuseTooLong = (value: unknown, context: z.core.$RefinementCtx): unknown => {
    if (Array.isArray(value) && value.length > max) {
      context.issues.push({ code: 'too_big', origin: 'array', maximum: max, inclusive: true, input: value });
    }
    return value;
  };
  return z.preprocess(refuseTooLong, z.array(item).min(min).max(max));
}

/**
 * Entries of any name in a request. Too many are refused before they are looked at: the 90 000 entries that fit into a
 * body took zod a second.
 */
export function boundedRecord<T extends z.ZodType>(name: z.ZodString, value: T, { max }: { max: number }) {
  const refuseTooMany = (given: unknown, context: z.core.$RefinementCtx): unknown => {
    if (typeof given === 'object' && given !== null && Object.keys(given).length > max) {
      const message = `Too big: expected at most ${max} entries`;
      context.issues.push({ code: 'custom', message, input: given });
    }
    return given;
  };
  return z.preprocess(refuseTooMany, z.record(name, value).meta({ maxProperties: max }));
}

export const successSchema = named('Success', z.object({ success: z.literal(true) }));

/** How much an issue of a run matters. */
export const severities = ['critical', 'medium', 'low'] as const;

export const severitySchema = named('Severity', z.enum(severities));
