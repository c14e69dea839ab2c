import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { LocalInfraError } from '../files/errors.js';

// Below the range from which systems take the ports of outgoing connections (Linux 32768, macOS 49152): while a
// store is down, a client that dials a port of that range can be given the same port as its own, connect to
// itself, and so keep the store from ever coming back.
const lowestPort = 10_000;
const highestPort = 19_999;
const attempts = 200;

/** A TCP port on 127.0.0.1 on which nothing listens now. */
export async function findFreePort({ exclude = [] }: { exclude?: readonly number[] } = {}): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(lowestPort, highestPort + 1);
    if (!exclude.includes(port) && (await isPortFree(port))) return port;
  }
  throw new LocalInfraError(`no free port between ${lowestPort} and ${highestPort} on 127.0.0.1`);
}

/** Whether a server could listen there now. Throws what `listen` says when it is not about the port being busy. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
