import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

export interface FindChromiumOptions {
  /** A path that the operator has set; it wins if it can be executed. */
  readonly configured?: string;
  /** Folders to look in, as the environment variable `PATH` has them. */
  readonly path: string;
}

const names: readonly string[] = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Where Chromium is on this machine; undefined when there is none, and then there are no browser tools. */
export async function findChromium({ configured, path }: FindChromiumOptions): Promise<string | undefined> {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  for (const candidate of configured ? [configured, ...candidates] : candidates) {
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
