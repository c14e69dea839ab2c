import { format, type FormatOptions } from 'oxfmt';
import { OperationReader } from './operation-reader.js';
import type { OpenApiDocument, Schema } from './openapi.js';
import { commentText, fieldsText, fieldText, typeText } from './type-text.js';

const header = '// Made from the OpenAPI document by `npm run client`; do not edit.\n';

/** The generated part of the client: file name to text. */
export async function clientFiles(
  document: OpenApiDocument,
  style: FormatOptions,
): Promise<Readonly<Record<string, string>>> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, described]) => new OperationReader(document, path, method, described),
    ),
  );
  const texts = {
    'schemas.ts': schemasText(document.components.schemas),
    'operations.ts': operationsText(operations, Object.keys(document.components.schemas)),
    'operation-table.ts': tableText(operations),
    'enum-values.ts': enumValuesText(document.components.schemas),
  };
  const written = Object.entries(texts).map(async ([name, text]) => {
    const { code, errors } = await format(name, header + text, style);
    if (errors.length > 0) throw new Error(`${name}: ${errors[0]!.message}`);
    return [name, code] as const;
  });
  return Object.fromEntries(await Promise.all(written));
}

function schemasText(schemas: Readonly<Record<string, Schema>>): string {
  return Object.entries(schemas)
    .map(([name, schema]) => {
      const comment = schema.description === undefined ? '' : `/** ${commentText(schema.description)} */\n`;
      return schema.properties === undefined
        ? `${comment}export type ${name} = ${typeText(schema)};\n`
        : `${comment}export interface ${name} {\n${fieldsText(schema)}\n}\n`;
    })
    .join('\n');
}

function enumValuesText(schemas: Readonly<Record<string, Schema>>): string {
  const entries = Object.entries(schemas).flatMap(([name, schema]) =>
    schema.enum === undefined ? [] : [`${name}: ${JSON.stringify(schema.enum)},`],
  );
  return `/** Every value of each type that has a fixed set of them, to be chosen from. */
export const enumValues = {
${entries.join('\n')}
} as const;
`;
}

function operationsText(operations: readonly OperationReader[], names: readonly string[]): string {
  const body = operations
    .map((operation) => {
      const parts = {
        input: operation.input(),
        output: operation.output(),
        event: operation.event(),
        item: operation.item(),
      };
      const fields = Object.entries(parts).flatMap(([name, schema]) =>
        schema ? [fieldText(name, schema, true)] : [],
      );
      return `/** ${commentText(operation.summary)} */\n${operation.id}: {\n${fields.join('\n')}\n};`;
    })
    .join('\n');
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(body.replaceAll(/\/\*\*.*\*\//g, '')));
  return `import type { Bytes } from '../bytes.js';
import type { ${used.join(', ')} } from './schemas.js';

/** What each operation takes and gives. Streams have an \`event\`, lists an \`item\`; a download gives the response itself. */
export interface Operations {
${body}
}
`;
}

function tableText(operations: readonly OperationReader[]): string {
  const entries = operations.map((operation) => `${operation.id}: ${JSON.stringify(operation.entry())},`);
  return `import type { OperationEntry } from '../operation-entry.js';
import type { Operations } from './operations.js';

/** How each operation travels. */
export const operationTable = {
${entries.join('\n')}
} as const satisfies Record<keyof Operations, OperationEntry>;
`;
}
