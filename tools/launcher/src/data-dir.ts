import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { acquireProcessLock, makeFolder, writePrivateFile, type ProcessLock } from '@aos/local-infra';
import { StartError } from './start-error.js';

/** The version of the tables in the folder; folders of versions before 1.0 have no such file. */
const tablesVersion = '1';

/** Creates the data folder and locks it for this process: two programs must not share its stores. */
export function claimDataDir(dataDir: string): ProcessLock {
  // Each file in it is private; the folder lets a store pass that must run as another user.
  makeFolder(dataDir, 0o711);
  const lock = acquireProcessLock(join(dataDir, 'launcher.lock'), dataDir);
  try {
    markTablesVersion(dataDir);
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

function markTablesVersion(dataDir: string): void {
  const path = join(dataDir, 'tables-version');
  if (existsSync(path)) return;
  if (existsSync(join(dataDir, 'secrets.json'))) {
    throw new StartError([
      `${dataDir} has data of a version before 1.0, which this version cannot read. Keep it with: mv ${dataDir} ${dataDir}-before-1.0`,
    ]);
  }
  writePrivateFile(path, `${tablesVersion}\n`);
}
