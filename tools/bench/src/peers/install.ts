import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { folderName, toldVersions, type Pinned } from './pinned.js';

const run = promisify(execFile);
/** npm can look for ever for versions that agree; 600 MB take a few minutes. */
const maxTotalMs = 10 * 60_000;

/** The folder with `node_modules` of what is pinned; from npm if it is not in the cache. */
export async function install(pinned: Pinned, cache: string, signal?: AbortSignal): Promise<string> {
  const folder = join(cache, folderName(pinned));
  if (existsSync(folder)) return folder;
  console.log(`Installing ${toldVersions(pinned)} into ${folder}`);
  await mkdir(cache, { recursive: true });
  // Renamed when it is whole: one that was interrupted is never taken for it.
  const beginning = await mkdtemp(join(cache, 'beginning-'));
  try {
    const manifest = { name: 'peer', private: true, dependencies: pinned.packages };
    await writeFile(join(beginning, 'package.json'), JSON.stringify(manifest, null, 2));
    await npmInstall(beginning, signal);
    await rename(beginning, folder).catch((error: unknown) => {
      // Another bench was faster.
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await rm(beginning, { recursive: true, force: true });
  }
}

async function npmInstall(folder: string, signal?: AbortSignal): Promise<void> {
  const { npm_execpath: npm } = process.env;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--workspaces=false'];
  // Peers' own peers disagree, of which npm would warn in more text than is kept.
  const quiet = ['--loglevel=error'];
  // Who is offline is told so within seconds.
  const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
  try {
    // `npm run` tells its children of the project's own folder; this one is meant.
    await run(command, [...first, 'install', '--prefix', folder, ...flags, ...quiet, ...patience], {
      cwd: folder,
      signal,
      timeout: maxTotalMs,
    });
  } catch (error) {
    signal?.throwIfAborted();
    const { stderr = '', killed = false } = error as { stderr?: string; killed?: boolean };
    if (killed) throw new Error('npm has not installed it in ten minutes', { cause: error });
    const reason = /^npm error (?!code|errno|syscall)(.+)$/m.exec(stderr)?.[1];
    throw new Error(reason ?? (error as Error).message, { cause: error });
  }
}
