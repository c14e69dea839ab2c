import { schemaNames } from '@aos/contracts';
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

export type Direction = 'input' | 'output';

const unnamed = z.registry<{ id: string }>();

/** A zod schema as JSON Schema of the draft that OpenAPI 3.1 uses; named ones inside it are under `$defs`. */
export function toJsonSchema(schema: z.ZodType, io: Direction): JsonSchema {
  return convert(schema, io, schemaNames);
}

/** The same with everything in place, to compare. */
export function toInlineJsonSchema(schema: z.ZodType, io: Direction): JsonSchema {
  return convert(schema, io, unnamed);
}

function convert(schema: z.ZodType, io: Direction, names: typeof schemaNames): JsonSchema {
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    metadata: names,
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, z.globalRegistry.get(zodSchema));
      delete jsonSchema.id;
      // The format says it; the pattern that zod adds fills a page.
      if (jsonSchema.format === 'uuid' || jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      // Limits of JavaScript numbers are no rule of the interface.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // Bodies are lenient: what is not known is ignored, in both directions.
      if (jsonSchema.additionalProperties === false && !isClosed(zodSchema))
        delete jsonSchema.additionalProperties;
    },
  }) as JsonSchema;
  return json;
}

function isClosed(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodNever;
}
