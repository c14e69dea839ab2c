import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between a service and a store, to break their connections in ways the store itself never would. */
export interface TcpProxy {
  readonly port: number;
  /** The store's address with the proxy's port in place of its own. */
  readonly url: string;
  /** New connections lead to this store; those that are open stay. */
  leadTo(storeUrl: string): void;
  /** From now on the open connections are silent in both directions, and neither side notices. New ones work. */
  freeze(): void;
  /** From now on all connections are silent in both directions, new ones too. */
  vanish(): void;
  /** From now on new connections are cut at once; those that are open go on. */
  refuse(): void;
  /** From now on new connections are taken again. */
  accept(): void;
  /** Cuts the open connections. */
  cut(): void;
  /** How many connections were refused. */
  readonly refused: number;
  /** The next connection that sends this text is cut when the store has answered; the answer is lost. */
  loseAnswerTo(text: string): void;
  /** How many connections were cut that way. */
  readonly cuts: number;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly store: Socket;
  frozen: boolean;
  doomed: boolean;
}

export async function startTcpProxy(storeUrl: string): Promise<TcpProxy> {
  let target = new URL(storeUrl);
  const pairs = new Set<Pair>();
  let textToLose: string | undefined;
  let cuts = 0;
  let isRefusing = false;
  let hasVanished = false;
  let refused = 0;

  // Half open, because a frozen connection does not even answer its end.
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    if (isRefusing) {
      refused += 1;
      client.destroy();
      return;
    }
    const store = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    const pair: Pair = { client, store, frozen: hasVanished, doomed: false };
    pairs.add(pair);
    const end = () => {
      // A frozen one does not tell either side that the other has gone.
      if (pair.frozen) return;
      pairs.delete(pair);
      client.destroy();
      store.destroy();
    };
    client.on('data', (chunk) => {
      if (pair.frozen) return;
      if (textToLose !== undefined && chunk.includes(textToLose)) {
        textToLose = undefined;
        pair.doomed = true;
      }
      store.write(chunk);
    });
    store.on('data', (chunk) => {
      if (pair.frozen) return;
      if (!pair.doomed) return void client.write(chunk);
      cuts += 1;
      end();
    });
    for (const socket of [client, store]) {
      socket.on('error', end).on('end', end).on('close', end);
    }
  });
  const freeze = () => {
    for (const pair of pairs) pair.frozen = true;
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = new URL(storeUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    port,
    url: url.href,
    leadTo: (otherUrl) => {
      target = new URL(otherUrl);
    },
    refuse: () => {
      isRefusing = true;
    },
    accept: () => {
      isRefusing = false;
    },
    get refused() {
      return refused;
    },
    freeze,
    vanish: () => {
      hasVanished = true;
      freeze();
    },
    cut: () => {
      for (const { client } of pairs) client.destroy();
    },
    loseAnswerTo: (text) => (textToLose = text),
    get cuts() {
      return cuts;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const { client, store } of pairs) {
          client.destroy();
          store.destroy();
        }
      }),
  };
}
