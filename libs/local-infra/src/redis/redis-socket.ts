import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isPortFree } from '../sockets/free-port.js';
import { takesUnixSocket } from '../sockets/unix-socket.js';

/** Where the server of this port may make its Unix socket; undefined where the system takes none there. */
export async function redisSocketOf(dataDir: string, port: number): Promise<string | undefined> {
  const folder = resolve(dataDir);
  await removeLeftSockets(folder);
  const path = join(folder, `${port}.sock`);
  return (await takesUnixSocket(path)) ? path : undefined;
}

/** Those of servers that were killed: nobody listens on their ports any more. */
async function removeLeftSockets(folder: string): Promise<void> {
  for (const name of readdirSync(folder)) {
    const port = /^(\d{1,5})\.sock$/.exec(name)?.[1];
    if (port && (await isPortFree(Number(port)))) rmSync(join(folder, name), { force: true });
  }
}
