import { readFile } from 'node:fs/promises';
import { resolveConfig } from 'prettier';
import { clientFiles } from './client-files.js';
import type { OpenApiDocument } from './openapi.js';

const document = new URL('../../../apps/gateway/openapi.json', import.meta.url);

export const generatedFolder = new URL('../../../libs/client/src/generated/', import.meta.url);

/** The files as they should be, by name. */
export async function expectedFiles(): Promise<Readonly<Record<string, string>>> {
  const style = await resolveConfig(generatedFolder);
  return clientFiles(JSON.parse(await readFile(document, 'utf8')) as OpenApiDocument, style ?? {});
}
