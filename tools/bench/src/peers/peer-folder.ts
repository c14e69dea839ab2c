import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** They import what is not installed in the project, so they are no part of what is built. */
const programs = fileURLToPath(new URL('../../programs/', import.meta.url));

/** A folder with programs of a peer, which find the peer's packages as those of a project of its own would. */
export async function makePeerFolder(
  folder: string,
  packages: string,
  names: readonly string[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await symlink(join(packages, 'node_modules'), join(folder, 'node_modules'), 'dir');
  for (const name of names) await copyFile(join(programs, name), join(folder, name));
}
