import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

export interface LoopbackServer {
  readonly port: number;
  /** How many connections were made to it, ever. */
  connections(): number;
  /** Settles when all that were made are closed. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Answers of HTTP, well-formed. */
export function httpServer(listener: RequestListener): Promise<LoopbackServer> {
  return listen(createHttpServer(listener));
}

/** Anything else: the raw bytes are up to the test. */
export function tcpServer(onConnection: (socket: Socket) => void): Promise<LoopbackServer> {
  return listen(createTcpServer(onConnection));
}

async function listen(server: Server): Promise<LoopbackServer> {
  const open = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: portOf(server),
    connections: () => connections,
    // A peer that resets also makes an error, which `once` of node:events would throw.
    idle: async () => {
      await Promise.all([...open].map((socket) => new Promise((closed) => socket.once('close', closed))));
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server does not listen on a port');
  return address.port;
}

/** Listens in a thread that sleeps for ever; what the kernel accepts on its behalf is used up already. */
export async function deafServer(): Promise<Pick<LoopbackServer, 'port' | 'close'>> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
     });`,
    { eval: true },
  );
  const [port = 0]: number[] = await once(worker, 'message');
  // A backlog of one holds two.
  const fillers = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  await Promise.all(fillers.map((filler) => once(filler, 'connect')));
  return {
    port,
    close: async () => {
      for (const filler of fillers) filler.destroy();
      await worker.terminate();
    },
  };
}
