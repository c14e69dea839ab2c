import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands in front of a Postgres and takes at connect what PgBouncer takes, and no more. */
export interface StrictPooler {
  /** The address of the database through it. */
  readonly url: string;
  /** How many clients were let through. */
  readonly clients: number;
  stop(): Promise<void>;
}

/** What PgBouncer keeps for each client, beside the names of user and database. */
const taken = [
  'user',
  'database',
  'application_name',
  'client_encoding',
  'datestyle',
  'timezone',
  'standard_conforming_strings',
];

export async function startStrictPooler(databaseUrl: string): Promise<StrictPooler> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let clients = 0;
  const server = createServer((client) => {
    follow(client, open);
    client.once('data', (first) => {
      const refused = parametersOf(first).find((name) => !taken.includes(name.toLowerCase()));
      if (refused !== undefined) {
        client.end(fatal(`unsupported startup parameter: ${refused}`));
        return;
      }
      clients += 1;
      const store = follow(connect(Number(target.port), target.hostname), open);
      store.write(first);
      client.pipe(store).pipe(client);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    get clients() {
      return clients;
    },
    stop: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function follow(socket: Socket, open: Set<Socket>): Socket {
  open.add(socket);
  return socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
}

/** Behind length and version, names and values end with a zero each. */
function parametersOf(message: Buffer): string[] {
  const texts = message.subarray(8).toString().split('\0');
  return texts.filter((name, index) => index % 2 === 0 && name !== '');
}

/** How a server refuses a client. */
function fatal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
