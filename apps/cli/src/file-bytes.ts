import type { FileContent } from '@aos/client';
import { CommandError } from './exit-codes.js';

/** The bytes of a file as they come: a small one has them in its description, a large one by its link. */
export async function* fileBytes(
  { content, encoding, download_url }: FileContent,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  if (content !== null) {
    yield Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8');
    return;
  }
  const response = await fetch(download_url, { signal });
  if (!response.ok || !response.body) throw new CommandError(`The download answered ${response.status}.`);
  yield* response.body;
}
