import { chownSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../files/folder.js';
import type { PostgresAccount } from './postgres-account.js';
import { takesUnixSocket } from '../sockets/unix-socket.js';

/**
 * The folder in which the server may make its Unix socket; undefined where the system takes none there. What a killed
 * server left is gone: Postgres would not start where the number in its lock file belongs to another process by now.
 * The caller holds the lock of the data folder.
 */
export async function socketFolderOf(
  { home, uid, gid }: PostgresAccount,
  port: number,
): Promise<string | undefined> {
  const folder = join(home, 'sockets');
  rmSync(folder, { recursive: true, force: true });
  makeFolder(folder);
  if (uid !== undefined) chownSync(folder, uid, gid ?? uid);
  return (await takesUnixSocket(join(folder, `.s.PGSQL.${port}`))) ? folder : undefined;
}

/** As the setting takes it: a list of names in quotes. */
export function socketSettings(folder: string | undefined): Readonly<Record<string, string>> {
  return {
    unix_socket_directories: folder === undefined ? '' : `"${folder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  };
}
