import { z } from 'zod';

/** The names that client authors see: a named schema is one type of a generated client, wherever it is used. */
export const schemaNames = z.registry<{ id: string }>();

/** Every named schema. */
export const namedSchemas: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>();

/** Names a schema. `.extend()`, `.refine()` and the like make another schema, which has no name yet. */
export function named<T extends z.ZodType>(name: string, schema: T): T {
  if (namedSchemas.has(name)) throw new Error(`Two schemas are named ${name}`);
  (namedSchemas as Map<string, z.ZodType>).set(name, schema);
  schemaNames.add(schema, { id: name });
  return schema;
}
