import type { Redis } from 'ioredis';
import type { RedisConnections } from '../../redis/redis-connections.js';

export interface OutgoingRequest {
  stream: string;
  /** The channel on which its answer is expected. */
  readonly replyTo: string;
  /** Where a request is put while no replica of this version has made its stream. */
  formerStream?: string;
  /** Called when the request is written, since it says how long the caller still waits. */
  readonly head: () => string;
  readonly body: string;
  /** Redis has refused it; it will never be answered. */
  readonly refused: (error: Error) => void;
  /** Where it lies, once it is written. */
  entryId?: string;
  /** Its caller no longer waits. */
  isTakenBack?: boolean;
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
    private readonly canBeAnswered: (request: OutgoingRequest) => boolean,
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
    request.isTakenBack = true;
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
    if (this.redis?.status !== 'ready') return;
    const requests: OutgoingRequest[] = [];
    const early = new Set<OutgoingRequest>();
    for (const request of this.unsent) {
      if (this.canBeAnswered(request)) requests.push(request);
      else early.add(request);
    }
    if (requests.length === 0) return;
    this.unsent = early;
    const pipeline = this.redis.pipeline();
    for (const { stream, formerStream, head, body } of requests) {
      const length = ['MAXLEN', '~', maxStreamLength] as const;
      const fields = ['*', 'h', head(), 'b', body] as const;
      if (formerStream === undefined) pipeline.xadd(stream, ...length, ...fields);
      else pipeline.xadd(stream, 'NOMKSTREAM', ...length, ...fields);
    }
    pipeline.exec().then(
      (results) => requests.forEach((request, index) => this.note(request, results![index]!)),
      // It is unknown whether they were written; the answer comes, or the deadline.
      () => undefined,
    );
  }

  private note(request: OutgoingRequest, [error, entryId]: [error: Error | null, result: unknown]): void {
    const { formerStream } = request;
    if (error) {
      if (error.name === 'ReplyError') request.refused(error);
    } else if (entryId === null && formerStream !== undefined) {
      request.stream = formerStream;
      request.formerStream = undefined;
      if (!request.isTakenBack) this.write(request);
    } else request.entryId = String(entryId);
  }
}
