import { join } from 'node:path';
import { acquireProcessLock, makeFolder, type ProcessLock } from '@aos/local-infra';

/** Makes the data folder and keeps it to this process; two programs on one folder would fight over the stores. */
export function claimDataDir(dataDir: string): ProcessLock {
  // Each file in it is private; the folder lets a store pass that must run as another user.
  makeFolder(dataDir, 0o711);
  return acquireProcessLock(join(dataDir, 'launcher.lock'), dataDir);
}
