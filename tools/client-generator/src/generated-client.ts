import { readFile } from 'node:fs/promises';
import type { FormatOptions } from 'oxfmt';
import { clientText } from './client-text.js';
import type { OpenApiDocument } from './openapi.js';

const root = new URL('../../../', import.meta.url);

export const generatedFile = new URL('libs/client/src/generated.ts', root);

/** Writes the generated part of the client as the committed OpenAPI document demands it. */
export async function expectedText(): Promise<string> {
  const [document, style] = await Promise.all(
    ['apps/gateway/openapi.json', '.oxfmtrc.json'].map((file) => readFile(new URL(file, root), 'utf8')),
  );
  return clientText(JSON.parse(document!) as OpenApiDocument, JSON.parse(style!) as FormatOptions);
}
