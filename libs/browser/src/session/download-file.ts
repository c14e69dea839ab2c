import { constants } from 'node:fs';
import { open, readlink, type FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';

/** A file that the browser has written, in a folder that it can change at any time. */
export interface DownloadFile {
  /** Its real path, as it was before the browser started. */
  readonly folder: string;
  readonly name: string;
  /** The user as whom the browser runs. */
  readonly ownerId: number;
}

/** The file is no download: the browser was broken into, and wants a file of the service to be stored. */
export class NotADownload extends Error {
  override readonly name = 'NotADownload';
}

export async function sizeOfDownload(file: DownloadFile): Promise<number> {
  const { handle, sizeBytes } = await openChecked(file);
  await handle.close();
  return sizeBytes;
}

/** The bytes of the very file that was checked, and no more of them than it had then. */
export async function readDownload(file: DownloadFile): Promise<Readable> {
  const { handle, sizeBytes } = await openChecked(file);
  if (sizeBytes > 0) return handle.createReadStream({ start: 0, end: sizeBytes - 1 });
  await handle.close();
  return Readable.from([]);
}

async function openChecked(file: DownloadFile): Promise<{ handle: FileHandle; sizeBytes: number }> {
  const path = join(file.folder, basename(file.name));
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const facts = await handle.stat();
    const isDownload = facts.isFile() && facts.uid === file.ownerId && facts.nlink === 1;
    if (!isDownload || !(await isAt(handle, path)))
      throw new NotADownload(`${file.name} was not written by the browser`);
    return { handle, sizeBytes: facts.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** False if a folder above it is a link by now. Systems other than Linux do not tell. */
async function isAt(handle: FileHandle, path: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  return (await readlink(`/proc/self/fd/${handle.fd}`)) === path;
}
