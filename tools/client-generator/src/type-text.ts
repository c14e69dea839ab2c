import { referredName, type Schema } from './openapi.js';

/** A schema as a TypeScript type. What it says of sizes and patterns is the server's to check. */
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
    case 'number':
      return 'number';
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

/** The fields of an object, each on its line. */
export function fieldsText(schema: Schema): string {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {})
    .map(([name, field]) => fieldText(name, field, required.has(name)))
    .join('\n');
}

export function fieldText(name: string, schema: Schema, isRequired: boolean): string {
  const comment = schema.description === undefined ? '' : `/** ${commentText(schema.description)} */\n`;
  return `${comment}${JSON.stringify(name)}${isRequired ? '' : '?'}: ${typeText(schema)};`;
}

/** A text that cannot end the comment that it stands in. */
export function commentText(text: string): string {
  return text.replaceAll('*/', '*∕').replaceAll(/\s+/g, ' ');
}

function objectText(schema: Schema): string {
  const { properties } = schema;
  if (properties !== undefined) {
    return Object.keys(properties).length > 0 ? `{\n${fieldsText(schema)}\n}` : 'Record<string, never>';
  }
  const values = schema.additionalProperties;
  return `Record<string, ${typeof values === 'object' ? typeText(values) : 'unknown'}>`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}
