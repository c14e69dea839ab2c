import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { acquireProcessLock, asFileError, type ProcessLock } from '@aos/local-infra';

/** Makes the data folder and keeps it to this process; two programs on one folder would fight over the stores. */
export function claimDataDir(dataDir: string): ProcessLock {
  try {
    // Each file in it is private; the folder lets a store pass that must run as another user.
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  } catch (error) {
    throw asFileError(error, dataDir);
  }
  return acquireProcessLock(join(dataDir, 'launcher.lock'), dataDir);
}
