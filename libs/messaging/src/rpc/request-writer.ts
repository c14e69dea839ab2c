import type { Redis } from 'ioredis';
import type { RedisConnections } from '../redis/redis-connections.js';

export interface OutgoingRequest {
  readonly stream: string;
  /** Called when the request is written, since it says how long the caller still waits. */
  readonly head: () => string;
  readonly body: string;
  /** Redis has refused it; it will never be answered. */
  readonly refused: (error: Error) => void;
  /** Where it lies, once it is written. */
  entryId?: string;
}

/** Bounds what unanswered requests can take up in Redis. */
const maxStreamLength = 100_000;

/**
 * Writes requests to the streams of services, those of one turn of the event loop together. While Redis or the
 * way back is not there they wait here, and one that is taken back meanwhile is never written.
 */
export class RequestWriter {
  /** A new one for each flush: see `TransientMap` for what one that is cleared would keep. */
  private unsent = new Set<OutgoingRequest>();
  private redis: Redis | undefined;
  private scheduled = false;

  constructor(
    private readonly connections: RedisConnections,
    private readonly canBeAnswered: () => boolean,
  ) {}

  connect(): void {
    // A request that was written when the connection broke may not be sent again: it would be handled twice.
    this.redis = this.connections.connect('rpc-requests', { autoResendUnfulfilledCommands: false });
    this.redis.on('ready', () => this.wake());
  }

  write(request: OutgoingRequest): void {
    this.unsent.add(request);
    this.wake();
  }

  /** Removes a request whose caller no longer waits, wherever it is. */
  takeBack(request: OutgoingRequest): void {
    if (this.unsent.delete(request) || request.entryId === undefined) return;
    // If Redis is away it may have lost the request; if not, the service drops it.
    if (this.redis?.status === 'ready') {
      this.redis.xdel(request.stream, request.entryId).catch(() => undefined);
    }
  }

  /** Tries to write what is waiting. */
  wake(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.flush();
    });
  }

  close(): void {
    this.redis?.disconnect();
  }

  private flush(): void {
    if (this.unsent.size === 0 || this.redis?.status !== 'ready' || !this.canBeAnswered()) return;
    const requests = [...this.unsent];
    this.unsent = new Set();
    const pipeline = this.redis.pipeline();
    for (const { stream, head, body } of requests) {
      pipeline.xadd(stream, 'MAXLEN', '~', maxStreamLength, '*', 'h', head(), 'b', body);
    }
    pipeline.exec().then(
      (results) => requests.forEach((request, index) => note(request, results![index]!)),
      // It is unknown whether they were written; the answer comes, or the deadline.
      () => undefined,
    );
  }
}

function note(request: OutgoingRequest, [error, entryId]: [error: Error | null, result: unknown]): void {
  if (!error) request.entryId = String(entryId);
  else if (error.name === 'ReplyError') request.refused(error);
}
