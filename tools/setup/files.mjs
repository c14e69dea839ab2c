import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** An error that is reported in one line. */
export class SetupError extends Error {}

/** Translates file errors that the machine causes (permissions, space) into one line. */
export function fileProblem(error) {
  const reasons = {
    EACCES: 'permission denied',
    EROFS: 'read-only file system',
    ENOSPC: 'no space left on the disk',
  };
  const reason = reasons[error.code];
  return reason ? new SetupError(`cannot write ${error.path ?? root}: ${reason}`) : error;
}

/** Writes a file that only saves time at the next start, so a folder of another user is no error. */
export function remember(file, content) {
  if (readIfPresent(file) === content) return;
  try {
    writeFileSync(file, content);
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw fileProblem(error);
  }
}

export function readIfPresent(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
