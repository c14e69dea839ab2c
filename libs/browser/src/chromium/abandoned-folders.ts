import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { processesOf } from './chromium-processes.js';
import { folderPrefix, removeBrowser } from './launch.js';

/** A session that is being opened has a folder before it has a process. */
const youngMs = 600_000;

/** Removes what services that were killed have left in the temporary folder; returns how many folders. */
export async function removeAbandoned(temporaryFolder: string, now = Date.now()): Promise<number> {
  const names = await readdir(temporaryFolder).catch(() => []);
  let removed = 0;
  for (const name of names.filter((one) => one.startsWith(folderPrefix))) {
    const folder = join(temporaryFolder, name);
    const changedAt = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    );
    if (now - changedAt < youngMs || (await processesOf(folder)).length > 0) continue;
    await removeBrowser(folder);
    removed += 1;
  }
  return removed;
}
