import { createWriteStream } from 'node:fs';
import { chmod, copyFile, realpath, rename, rm, stat } from 'node:fs/promises';
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
    await pipeline(content, createWriteStream(draft), { signal });
    if (before) await chmod(draft, before.mode);
    await rename(draft, file).catch((error: NodeJS.ErrnoException) => replaceContent(error, draft, file));
  } finally {
    await rm(draft, { force: true });
  }
}

/** A file that is mounted by itself, as into a container, keeps its place and gets other bytes. */
async function replaceContent(error: NodeJS.ErrnoException, draft: string, file: string): Promise<void> {
  if (error.code !== 'EBUSY') throw error;
  await copyFile(draft, file);
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
