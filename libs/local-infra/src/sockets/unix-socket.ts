import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';

// macOS has 104 bytes for it, with the zero at its end; Linux has 108.
const maxPathLength = 103;

/**
 * Whether a server can listen at this path, which is free then. The path may be too long, or on a file system without
 * sockets: a folder of a Mac or of Windows that is mounted into a container, for instance.
 */
export async function takesUnixSocket(path: string): Promise<boolean> {
  if (Buffer.byteLength(path) > maxPathLength) return false;
  // What a killed server left there.
  rmSync(path, { force: true });
  // Under another name, for the clients of that server may be dialling already.
  return canListen(join(dirname(path), `~${basename(path).slice(1)}`));
}

function canListen(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(path, () => server.close(() => resolve(true)));
  });
}
