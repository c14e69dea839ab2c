import { mkdirSync } from 'node:fs';
import { asFileError, errorCode, LocalInfraError } from './errors.js';

/** Makes a folder and those above it, or says in one line why not. */
export function makeFolder(path: string, mode = 0o700): void {
  try {
    mkdirSync(path, { recursive: true, mode });
  } catch (error) {
    // What Node reports of a read-only file system.
    if (errorCode(error) === 'ENOENT') {
      throw new LocalInfraError(`cannot use ${path}: it does not exist and cannot be made`, { cause: error });
    }
    throw asFileError(error, path);
  }
}
