import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asFileError, errorCode } from './errors.js';
import { writePrivateFile } from './private-file.js';

/** The file with the password of the store that works in a folder. */
export function passwordPath(dataDir: string): string {
  return join(dataDir, 'password');
}

export function writeNewPassword(dataDir: string): string {
  const password = randomBytes(24).toString('base64url');
  writePrivateFile(passwordPath(dataDir), password);
  return password;
}

/** Undefined if there is no password yet. */
export function readPassword(dataDir: string): string | undefined {
  try {
    return readFileSync(passwordPath(dataDir), 'utf8').trim() || undefined;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw asFileError(error, passwordPath(dataDir));
  }
}
