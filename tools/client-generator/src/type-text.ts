import { referredName, type Schema } from './openapi.js';

/** Writes a schema as a TypeScript type. Sizes and patterns are left to the service. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return referredName(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) return union(either.map(typeText));
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeText({ ...schema, type })));
  switch (schema.type) {
    case 'string':
      return schema.format === 'binary' ? 'Bytes' : 'string';
    case 'integer':
      return 'number';
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return `ReadonlyArray<${typeText(schema.items ?? {})}>`;
    case 'object':
      return objectText(schema);
    default:
      return 'unknown';
  }
}

/** Writes a comment of its own line, which the text cannot end. */
export function commentText(text: string | undefined): string {
  return text === undefined ? '' : `\n/** ${text.replaceAll('*/', '*∕').replaceAll(/\s+/g, ' ')} */\n`;
}

function objectText({ properties, required, additionalProperties: values }: Schema): string {
  if (properties === undefined)
    return `Record<string, ${typeof values === 'object' ? typeText(values) : 'unknown'}>`;
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = required?.includes(name) ? '' : '?';
    return `${commentText(field.description)}${JSON.stringify(name)}${mark}: ${typeText(field)};`;
  });
  return fields.length > 0 ? `{ ${fields.join(' ')} }` : 'Record<string, never>';
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}
