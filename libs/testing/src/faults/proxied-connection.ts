import { connect, type Socket } from 'node:net';

export const directions = ['to the store', 'to the client'] as const;
export type Direction = (typeof directions)[number];

/** What can be done to one connection, or to all of a proxy. */
export interface ConnectionFaults {
  /** The open connections are silent in both directions from now on, and neither side notices. */
  freeze(): void;
  /** Cuts the open connections. */
  cut(): void;
  /** Everything takes so much longer, in each direction. */
  delay(ms: number): void;
  /** No more than so much passes in a second, in each direction. */
  throttle(bytesPerSecond: number): void;
  /** Nothing passes in this direction; it comes once the connection is healed, as TCP sends again what was lost. */
  lose(direction: Direction): void;
  /** Ends delays, throttling and loss. What is frozen stays so. */
  heal(): void;
}

/** How a connection passes on what it gets. */
export interface Passage {
  delayMs: number;
  bytesPerSecond: number;
  readonly lost: Set<Direction>;
}

export function freePassage(): Passage {
  return { delayMs: 0, bytesPerSecond: Infinity, lost: new Set() };
}

interface Piece {
  readonly bytes: Buffer;
  readonly dueAt: number;
}

/** Pieces of a second in which throttled bytes pass. */
const piecesPerSecond = 20;

/** One direction of a connection: passes bytes in their order, as late as it must. */
class Lane {
  private readonly waiting: Piece[] = [];
  private freeAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private whenEmpty: () => void = () => undefined;

  constructor(
    private readonly to: Socket,
    private readonly direction: Direction,
    private readonly passage: Passage,
  ) {}

  push(bytes: Buffer): void {
    const { delayMs, bytesPerSecond } = this.passage;
    const dueAt = performance.now() + delayMs;
    const size = Math.max(1, Math.min(bytes.length, Math.floor(bytesPerSecond / piecesPerSecond)));
    for (let start = 0; start < bytes.length; start += size)
      this.waiting.push({ bytes: bytes.subarray(start, start + size), dueAt });
    this.pass();
  }

  pass(): void {
    clearTimeout(this.timer);
    const { lost, bytesPerSecond } = this.passage;
    while (this.waiting.length > 0 && !lost.has(this.direction)) {
      const now = performance.now();
      const waitMs = Math.max(this.waiting[0]!.dueAt, this.freeAt) - now;
      if (waitMs > 0) {
        this.timer = setTimeout(() => this.pass(), waitMs);
        return;
      }
      const { bytes } = this.waiting.shift()!;
      this.freeAt = now + (bytes.length / bytesPerSecond) * 1000;
      this.to.write(bytes);
    }
    if (this.waiting.length === 0) this.whenEmpty();
  }

  /** Passes at once all that was held back, in one piece. */
  flush(): void {
    const bytes = Buffer.concat(this.waiting.splice(0).map((piece) => piece.bytes));
    if (bytes.length > 0) this.to.write(bytes);
    this.freeAt = 0;
    this.pass();
  }

  /** Calls this once everything has passed. */
  whenPassed(end: () => void): void {
    this.whenEmpty = end;
    this.pass();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.whenEmpty = () => undefined;
    this.waiting.length = 0;
  }
}

/** A client's connection and the one to the store in its name. */
export class ProxiedConnection implements ConnectionFaults {
  private readonly store: Socket;
  private readonly lanes: readonly Lane[];
  private isFrozen = false;
  private losesAnswer = false;

  constructor(
    private readonly client: Socket,
    target: URL,
    private readonly passage: Passage,
    private readonly events: {
      /** Whether the answer to what the client sends is to be lost. */
      losesAnswerTo(bytes: Buffer): boolean;
      onAnswerLost(): void;
      onEnd(connection: ProxiedConnection): void;
    },
  ) {
    this.store = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    const toStore = new Lane(this.store, 'to the store', passage);
    const toClient = new Lane(client, 'to the client', passage);
    this.lanes = [toStore, toClient];
    client.on('data', (bytes) => {
      if (this.isFrozen) return;
      if (events.losesAnswerTo(bytes)) this.losesAnswer = true;
      toStore.push(bytes);
    });
    this.store.on('data', (bytes) => {
      if (this.isFrozen) return;
      if (!this.losesAnswer) return toClient.push(bytes);
      events.onAnswerLost();
      this.end();
    });
    for (const [socket, lane] of [
      [client, toStore],
      [this.store, toClient],
    ] as const) {
      const end = () => lane.whenPassed(() => this.end());
      socket.on('error', end).on('end', end).on('close', end);
    }
  }

  /** The port by which the store knows this connection: `client_port` of `pg_stat_activity`. */
  get storeSidePort(): number | undefined {
    return this.store.localPort;
  }

  freeze(): void {
    this.isFrozen = true;
    for (const lane of this.lanes) lane.stop();
  }

  cut(): void {
    this.client.destroy();
  }

  delay(ms: number): void {
    this.passage.delayMs = ms;
  }

  throttle(bytesPerSecond: number): void {
    this.passage.bytesPerSecond = bytesPerSecond;
  }

  lose(direction: Direction): void {
    this.passage.lost.add(direction);
  }

  heal(): void {
    this.delay(0);
    this.throttle(Infinity);
    this.passage.lost.clear();
    for (const lane of this.lanes) lane.flush();
  }

  close(): void {
    for (const lane of this.lanes) lane.stop();
    this.client.destroy();
    this.store.destroy();
  }

  private end(): void {
    // A frozen one does not tell either side that the other has gone.
    if (this.isFrozen) return;
    this.events.onEnd(this);
    this.close();
  }
}
