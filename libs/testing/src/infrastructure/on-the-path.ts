import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a program lies in the folders of the `PATH`; undefined if in none. */
export function onThePath(program: string, path = process.env['PATH'] ?? ''): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, program))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
