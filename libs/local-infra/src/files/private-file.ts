import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { asFileError } from './errors.js';

/** Writes a file that only its owner may read. Readers see the old content or the new, never a part. */
export function writePrivateFile(path: string, content: string): void {
  const aside = `${path}.${process.pid}.tmp`;
  try {
    rmSync(aside, { force: true });
    writeFileSync(aside, content, { mode: 0o600, flag: 'wx' });
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw asFileError(error, path);
  }
}
