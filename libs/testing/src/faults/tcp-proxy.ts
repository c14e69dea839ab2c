import { createServer, type AddressInfo } from 'node:net';
import {
  freePassage,
  ProxiedConnection,
  type ConnectionFaults,
  type Direction,
  type Passage,
} from './proxied-connection.js';

/**
 * Stands between a service and a store, to break their connections in ways the store itself never would. Delays,
 * throttling and loss hold for new connections too, until they are healed.
 */
export interface TcpProxy extends ConnectionFaults {
  readonly port: number;
  /** The store's address with the proxy's port in place of its own. */
  readonly url: string;
  /** Those that are open, to break one of them alone. */
  readonly connections: readonly ProxiedConnection[];
  /** New connections lead to this store; those that are open stay. */
  leadTo(storeUrl: string): void;
  /** From now on all connections are silent in both directions, new ones too. */
  vanish(): void;
  /** From now on new connections are cut at once; those that are open go on. */
  refuse(): void;
  /** From now on new connections are taken again. */
  accept(): void;
  /** How many connections were refused. */
  readonly refused: number;
  /** The next connection that sends this text is cut when the store has answered; the answer is lost. */
  loseAnswerTo(text: string): void;
  /** How many connections were cut that way. */
  readonly cuts: number;
  close(): Promise<void>;
}

export async function startTcpProxy(storeUrl: string): Promise<TcpProxy> {
  const proxy = new StoreProxy(new URL(storeUrl));
  await proxy.listen();
  return proxy;
}

class StoreProxy implements TcpProxy {
  refused = 0;
  cuts = 0;
  private readonly open = new Set<ProxiedConnection>();
  private passage: Passage = freePassage();
  private textToLose: string | undefined;
  private isRefusing = false;
  private hasVanished = false;
  // Half open, because a frozen connection does not even answer its end.
  private readonly server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    if (this.isRefusing) {
      this.refused += 1;
      client.destroy();
      return;
    }
    const passage = { ...this.passage, lost: new Set(this.passage.lost) };
    const connection = new ProxiedConnection(client, this.target, passage, {
      losesAnswerTo: (bytes) => {
        if (this.textToLose === undefined || !bytes.includes(this.textToLose)) return false;
        this.textToLose = undefined;
        return true;
      },
      onAnswerLost: () => (this.cuts += 1),
      onEnd: (ended) => this.open.delete(ended),
    });
    this.open.add(connection);
    if (this.hasVanished) connection.freeze();
  });

  constructor(private target: URL) {}

  listen(): Promise<void> {
    return new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return Object.assign(new URL(this.target), { hostname: '127.0.0.1', port: String(this.port) }).href;
  }

  get connections(): readonly ProxiedConnection[] {
    return [...this.open];
  }

  leadTo(storeUrl: string): void {
    this.target = new URL(storeUrl);
  }

  freeze(): void {
    for (const connection of this.open) connection.freeze();
  }

  vanish(): void {
    this.hasVanished = true;
    this.freeze();
  }

  refuse(): void {
    this.isRefusing = true;
  }

  accept(): void {
    this.isRefusing = false;
  }

  cut(): void {
    for (const connection of this.open) connection.cut();
  }

  delay(ms: number): void {
    this.passage.delayMs = ms;
    for (const connection of this.open) connection.delay(ms);
  }

  throttle(bytesPerSecond: number): void {
    this.passage.bytesPerSecond = bytesPerSecond;
    for (const connection of this.open) connection.throttle(bytesPerSecond);
  }

  lose(direction: Direction): void {
    this.passage.lost.add(direction);
    for (const connection of this.open) connection.lose(direction);
  }

  heal(): void {
    this.passage = freePassage();
    for (const connection of this.open) connection.heal();
  }

  loseAnswerTo(text: string): void {
    this.textToLose = text;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      for (const connection of this.open) connection.close();
    });
  }
}
