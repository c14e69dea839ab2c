import { execFileSync } from 'node:child_process';
import { chownSync, statfsSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Needed } from '../suites/describe-where.js';

/** A disk of a few megabytes: a file system of its own, which needs the rights to mount one. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all that is left. */
  fill(): Promise<void>;
  /** Gives that back. */
  empty(): Promise<void>;
  remove(): Promise<void>;
}

/** Whether this machine lets us mount: as root, in a container that may. */
export function smallDisks(): Needed {
  const missing = 'no right to mount a file system';
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return { isThere: false, missing };
  try {
    // Mounts nothing: asks for the right.
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()], { stdio: 'ignore' });
    return { isThere: true, missing };
  } catch {
    return { isThere: false, missing };
  }
}

/** `like` is a folder whose owner the disk is to have. */
export async function makeSmallDisk({
  megabytes,
  like,
}: {
  megabytes: number;
  like: string;
}): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'aos-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder]);
  const { uid, gid } = statSync(like);
  chownSync(folder, uid, gid);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: async () => {
      const { bavail, bsize } = statfsSync(folder);
      // Others write there too: then it is full before this has been written.
      await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error;
      });
    },
    empty: () => rm(ballast, { force: true }),
    remove: async () => {
      execFileSync('umount', [folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
