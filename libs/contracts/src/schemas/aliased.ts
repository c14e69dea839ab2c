import { z } from 'zod';

type Aliases = Readonly<Record<string, string>>;

/** By the step that renames, which copies of a schema share. */
const known = new WeakMap<z.core.$ZodType, Aliases>();

/** Fields of an object that have another name as well; the name itself wins. */
export function aliased<T extends z.ZodType>(aliases: Aliases, schema: T): T {
  const rename = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const renamed: Record<string, unknown> = { ...value };
    for (const [alias, name] of Object.entries(aliases)) {
      if (!(alias in renamed)) continue;
      renamed[name] ??= renamed[alias];
      delete renamed[alias];
    }
    return renamed;
  };
  // Aliases are accepted and not documented: they are for older clients.
  const made = z.preprocess(rename, schema);
  known.set(made.def.in, aliases);
  return made as unknown as T;
}

/** The other names of the fields of such an object. */
export function aliasesOf(schema: z.ZodPipe): Aliases | undefined {
  return known.get(schema.def.in);
}
