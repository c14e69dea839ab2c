import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

type Content = AsyncIterable<Uint8Array>;

/** Writes a file that has its name when it is whole: what breaks off leaves the one that was there as it was. */
export async function writeWholeFile(target: string, content: Content, signal: AbortSignal): Promise<void> {
  const before = await stat(target).catch(absent);
  // A device or a pipe, such as /dev/stdout, has no place to be taken.
  if (before && !before.isFile()) return pipeline(content, createWriteStream(target), { signal });
  const file = before ? await realpath(target) : target;
  const draft = `${file}.${process.pid}.part`;
  try {
    await pipeline(content, createWriteStream(draft, { mode: before?.mode }), { signal });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
