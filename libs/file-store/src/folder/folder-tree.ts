import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InvalidFileKey, isFileKey } from '../names/file-key.js';
import { systemCodeOf, unless } from '../file-store-errors.js';

const absent = ['ENOENT', 'ENOTDIR'];
const folderMode = 0o700;

/** True when all folders between the root and the file are there. A link is no folder: none is ever followed. */
export async function hasFolders(root: string, key: string): Promise<boolean> {
  for (const folder of foldersOf(root, key)) {
    const found = await unless(absent, lstat(folder));
    if (!found?.isDirectory()) return false;
  }
  return true;
}

/**
 * Makes the folders of a key, one by one and looking at each: a recursive mkdir would follow links.
 * Returns those in which there is a new folder now.
 */
export async function makeFolders(root: string, key: string): Promise<string[]> {
  const changed: string[] = [];
  await mkdir(root, { recursive: true, mode: folderMode });
  for (const folder of foldersOf(root, key)) {
    try {
      await mkdir(folder, { mode: folderMode });
      changed.push(dirname(folder));
    } catch (error) {
      if (systemCodeOf(error) !== 'EEXIST') throw error;
      const found = await lstat(folder);
      if (found.isFile()) throw new InvalidFileKey(`A folder of the file key ${key} is a file`);
      if (!found.isDirectory()) throw new Error(`${folder} is not a folder`);
    }
  }
  return changed;
}

/** Removes the folders of a key that have become empty, from the innermost outwards. */
export async function removeEmptyFolders(root: string, key: string): Promise<void> {
  for (const folder of foldersOf(root, key).reverse()) {
    try {
      await rmdir(folder);
    } catch (error) {
      if (['ENOTEMPTY', 'EEXIST', ...absent].includes(systemCodeOf(error))) return;
      throw error;
    }
  }
}

/** Makes names that were added to a folder survive a loss of power. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await unless(absent, open(folder, constants.O_RDONLY | constants.O_DIRECTORY));
  if (!handle) return;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export interface WalkOptions {
  readonly prefix: string;
  readonly after: string;
}

/** The keys of the files in a tree, in the order that S3 has: by the bytes of the whole key. */
export async function* walkKeys(root: string, options: WalkOptions, folder = ''): AsyncGenerator<string> {
  const entries = (await unless(absent, readdir(join(root, folder), { withFileTypes: true }))) ?? [];
  const names = entries
    // What no key can be is the store's own, or not from the store.
    .filter((entry) => isFileKey(folder + entry.name) && (entry.isDirectory() || entry.isFile()))
    .map((entry) => folder + entry.name + (entry.isDirectory() ? '/' : ''))
    .sort();
  for (const name of names) {
    if (name.endsWith('/')) {
      if (mayHold(name, options)) yield* walkKeys(root, options, name);
    } else if (name > options.after && name.startsWith(options.prefix)) yield name;
  }
}

function mayHold(folder: string, { prefix, after }: WalkOptions): boolean {
  const ofPrefix = folder.startsWith(prefix) || prefix.startsWith(folder);
  return ofPrefix && (folder > after || after.startsWith(folder));
}

function foldersOf(root: string, key: string): string[] {
  const names = key.split('/').slice(0, -1);
  return names.map((_, index) => join(root, ...names.slice(0, index + 1)));
}
