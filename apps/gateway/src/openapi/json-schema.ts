import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** A zod schema as JSON Schema of the draft that OpenAPI 3.1 uses. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // The format says it; the pattern that zod adds fills a page.
      if (jsonSchema.format === 'uuid' || jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      // Bodies are lenient: what is not known is ignored, in both directions.
      if (jsonSchema.additionalProperties === false && !isClosed(schema))
        delete jsonSchema.additionalProperties;
    },
  }) as JsonSchema;
  return json;
}

function isClosed(schema: z.ZodType): boolean {
  return schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodNever;
}
