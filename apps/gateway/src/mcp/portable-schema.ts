import type { JsonSchema } from '../openapi/json-schema.js';

const maps = ['properties', '$defs', 'patternProperties'] as const;
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const single = ['items', 'additionalProperties', 'not', 'propertyNames'] as const;

/** Words about a value, which stand beside the alternatives of its kind. */
const words: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples', 'deprecated']);
/** Keywords that say something of a value. A schema without any accepts all there is. */
const ofValues = [...maps, ...lists, ...single, 'type', 'enum', 'const', '$ref'];
const anyValue = ['object', 'array', 'string', 'number', 'boolean', 'null'].map((type) => ({ type }));

/**
 * The same schema for clients that know one type for a value: `["string", "null"]` is written as `anyOf`, and so is what may
 * be anything.
 */
export function portable(schema: JsonSchema): JsonSchema {
  const result: JsonSchema = { ...schema };
  for (const key of maps)
    if (isObject(result[key])) result[key] = mapValues(result[key], (inner) => portable(inner));
  for (const key of lists)
    if (Array.isArray(result[key])) result[key] = (result[key] as JsonSchema[]).map(portable);
  for (const key of single) if (isObject(result[key])) result[key] = portable(result[key]);
  const { type } = result;
  if (Array.isArray(type)) return { ...pick(result, true), anyOf: alternatives(type, pick(result, false)) };
  return ofValues.some((key) => key in result) ? result : { ...result, anyOf: anyValue };
}

function alternatives(types: readonly unknown[], { type: _types, ...rules }: JsonSchema): JsonSchema[] {
  return types.map((type) => (type === 'null' ? { type } : { type, ...rules }));
}

function pick(schema: JsonSchema, areWords: boolean): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => words.has(key) === areWords));
}

function mapValues(values: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(values).map(([name, inner]) => [name, isObject(inner) ? change(inner) : inner]),
  );
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
