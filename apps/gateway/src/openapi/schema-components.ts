import { namedSchemas } from '@aos/contracts';
import type { z } from 'zod';
import { toInlineJsonSchema, toJsonSchema, type Direction, type JsonSchema } from './json-schema.js';

const local = '#/$defs/';

/**
 * `components.schemas`: every named schema that the document uses, once. One that a request may leave fields out of,
 * where an answer has them all, is there twice: the request's is called `…Input`.
 */
export class SchemaComponents {
  private readonly found = new Map<string, JsonSchema>();

  /** The schema for a place in the document, with references to what has a name. */
  use(schema: z.ZodType, io: Direction): JsonSchema {
    const { $defs = {}, ...json } = toJsonSchema(schema, io);
    for (const [name, definition] of Object.entries($defs as Record<string, JsonSchema>)) {
      this.add(publicName(name, io), referring(definition, io) as JsonSchema);
    }
    return referring(json, io) as JsonSchema;
  }

  /** Adds one that only the document has. */
  add(name: string, schema: JsonSchema): JsonSchema {
    this.found.set(name, schema);
    return referenceTo(name);
  }

  toJSON(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

export function referenceTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

const twoFold = new Map<string, boolean>();

function publicName(name: string, io: Direction): string {
  return io === 'input' && !name.endsWith('Input') && differs(name) ? `${name}Input` : name;
}

function differs(name: string): boolean {
  let answer = twoFold.get(name);
  if (answer === undefined) {
    const schema = namedSchemas.get(name)!;
    const [taken, given] = (['input', 'output'] as const).map((io) =>
      JSON.stringify(toInlineJsonSchema(schema, io)),
    );
    answer = taken !== given;
    twoFold.set(name, answer);
  }
  return answer;
}

function referring(value: unknown, io: Direction): unknown {
  if (Array.isArray(value)) return value.map((item) => referring(item, io));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string' && inner.startsWith(local)
        ? [key, referenceTo(publicName(inner.slice(local.length), io))['$ref']]
        : [key, referring(inner, io)],
    ),
  );
}
