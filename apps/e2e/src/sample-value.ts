export type JsonSchema = Readonly<Record<string, unknown>>;

/** A small value that a JSON Schema allows: required fields only, the shortest texts, the lowest numbers. */
export function sampleValue(schema: JsonSchema): unknown {
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown;
  for (const choice of ['anyOf', 'oneOf'] as const) {
    const options = schema[choice] as JsonSchema[] | undefined;
    if (options) return sampleValue(options[0]!);
  }
  switch (schema['type']) {
    case 'object':
      return sampleObject(schema);
    case 'array':
      return Array.from({ length: numberOf(schema['minItems']) }, () =>
        sampleValue(schema['items'] as JsonSchema),
      );
    case 'string':
      return sampleText(schema);
    case 'integer':
    case 'number':
      return Math.max(
        numberOf(schema['minimum']),
        numberOf(schema['exclusiveMinimum']) && numberOf(schema['exclusiveMinimum']) + 1,
      );
    case 'boolean':
      return false;
    default:
      return null;
  }
}

function sampleObject(schema: JsonSchema): Record<string, unknown> {
  const properties = propertiesOf(schema);
  const required = (schema['required'] ?? []) as string[];
  return Object.fromEntries(required.map((name) => [name, sampleValue(properties[name]!)]));
}

export function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  return (schema['properties'] ?? {}) as Record<string, JsonSchema>;
}

function sampleText(schema: JsonSchema): string {
  switch (schema['format']) {
    case 'uuid':
      return '01900000-0000-7000-8000-000000000000';
    case 'date-time':
      return '2999-01-01T00:00:00.000Z';
    case 'uri':
      return 'https://example.com/';
    default:
      return 'x'.repeat(Math.max(1, numberOf(schema['minLength'])));
  }
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
