import { z } from 'zod';

type Strip = (value: unknown) => unknown;

const compiled = new WeakMap<z.core.$ZodType, Strip>();

/**
 * The input without the fields whose `null` says no more than their absence: those that may be left out and do not
 * take null, and those that are unknown. Null stays where it is a value, where it clears a field, and where a field
 * is required, which is a fault then.
 */
export function withoutAbsentNulls(schema: z.ZodType, input: unknown): unknown {
  return stripOf(schema)(input);
}

function stripOf(schema: z.core.$ZodType): Strip {
  let strip = compiled.get(schema);
  if (!strip) {
    strip = compile(schema as z.ZodType);
    compiled.set(schema, strip);
  }
  return strip;
}

const asItIs: Strip = (value) => value;

function compile(schema: z.ZodType): Strip {
  if (schema instanceof z.ZodObject) return compileObject(schema);
  if (schema instanceof z.ZodArray) return compileArray(schema);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return stripOf(schema.def.innerType);
  }
  // For preprocessed schemas the output side has the fields.
  if (schema instanceof z.ZodPipe) {
    return stripOf(schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in);
  }
  return asItIs;
}

function compileObject(schema: z.ZodObject): Strip {
  const fields = new Map(
    Object.entries(schema.shape).map(([name, field]) => [
      name,
      { strip: stripOf(field), keepsNull: !accepts(field, undefined) || accepts(field, null) },
    ]),
  );
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
      const field = fields.get(name);
      if (inner === null) return field?.keepsNull ? [[name, null]] : [];
      return [[name, field ? field.strip(inner) : inner]];
    });
    return Object.fromEntries(entries);
  };
}

function compileArray(schema: z.ZodArray): Strip {
  const item = stripOf(schema.element);
  return item === asItIs ? asItIs : (value) => (Array.isArray(value) ? value.map(item) : value);
}

function accepts(schema: z.core.$ZodType, value: undefined | null): boolean {
  return (schema as z.ZodType).safeParse(value).success;
}
