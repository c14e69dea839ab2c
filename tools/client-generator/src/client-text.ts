import { format, type FormatOptions } from 'oxfmt';
import type { OpenApiDocument } from './openapi.js';
import { readOperations } from './operation-reader.js';
import { commentText, typeText } from './type-text.js';

/** Writes the generated part of the client. */
export async function clientText(document: OpenApiDocument, style: FormatOptions): Promise<string> {
  const schemas = Object.entries(document.components.schemas);
  const operations = readOperations(document);
  const text = `// Made from the OpenAPI document by \`npm run client\`; do not edit.
import type { Bytes } from './bytes.js';
import type { OperationEntry } from './operation-entry.js';

/** Every value of each type that has a fixed set of them. */
export const enumValues = {
${schemas.flatMap(([name, { enum: values }]) => (values ? [`${name}: ${JSON.stringify(values)},`] : [])).join('\n')}
} as const;

${schemas
  .map(([name, schema]) => {
    const type = schema.enum ? `(typeof enumValues.${name})[number]` : typeText(schema);
    return `${commentText(schema.description)}export type ${name} = ${type};\n`;
  })
  .join('\n')}

/** Types of each operation. Streams have an \`event\`, lists an \`item\`; a download gives the response itself. */
export interface Operations {
${operations.map(({ id, types }) => `${commentText(types.description)}${id}: ${typeText(types)};`).join('\n')}
}

/** Requests and responses of the operations. */
export const operationTable = {
${operations.map(({ id, entry }) => `${id}: ${JSON.stringify(entry)},`).join('\n')}
} as const satisfies Record<keyof Operations, OperationEntry>;
`;
  const { code, errors } = await format('generated.ts', text, style);
  if (errors.length > 0) throw new Error(errors[0]!.message);
  return code;
}
