import type { FileContent } from '@aos/client';
import { CommandError } from './exit-codes.js';

/** The bytes of a file: a small one comes with its description, a large one by its link. */
export async function fileBytes({ content, encoding, download_url }: FileContent): Promise<Uint8Array> {
  if (content !== null) return Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8');
  const response = await fetch(download_url);
  if (!response.ok) throw new CommandError(`The download answered ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}
