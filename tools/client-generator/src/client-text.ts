import { readFile } from 'node:fs/promises';
import type { FormatOptions } from 'oxfmt';
import { clientFiles } from './client-files.js';
import type { OpenApiDocument } from './openapi.js';

const document = new URL('../../../apps/gateway/openapi.json', import.meta.url);
const formatting = new URL('../../../.oxfmtrc.json', import.meta.url);

export const generatedFolder = new URL('../../../libs/client/src/generated/', import.meta.url);

/** The files as they should be, by name. */
export async function expectedFiles(): Promise<Readonly<Record<string, string>>> {
  const [described, style] = await Promise.all([document, formatting].map((file) => readFile(file, 'utf8')));
  return clientFiles(JSON.parse(described!) as OpenApiDocument, JSON.parse(style!) as FormatOptions);
}
