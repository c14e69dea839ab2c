import { AppError } from '@aos/contracts';
import { currentContext } from '@aos/platform';
import type { KeyRing } from '@aos/secrets';
import { ClientProxy, type ReadPacket, type WritePacket } from '@nestjs/microservices';
import type { Redis } from 'ioredis';
import { uuidv7 } from 'uuidv7';
import type { RedisConnections } from '../redis/redis-connections.js';
import { replyChannel, requestStream, sealContext } from './rpc-names.js';
import { decodeAnswers, fromWireError, type Answer, type RequestHead } from './rpc-frames.js';

export interface RpcClientOptions {
  readonly connections: RedisConnections;
  readonly keyRing: KeyRing;
  readonly timeoutMs?: number;
  /** Requests waiting for an answer at once; past it a call is refused instead of queueing without end. */
  readonly maxWaiting?: number;
}

export interface RpcRequest {
  readonly service: string;
  readonly name: string;
  readonly payload: unknown;
  readonly sealed?: boolean;
  readonly timeoutMs?: number;
}

interface Waiting {
  readonly name: string;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: AppError) => void;
  readonly timer: NodeJS.Timeout;
}

type OutgoingEntry = readonly [stream: string, head: string, body: string];

/** Bounds what requests nobody answers can take up in Redis. */
const maxStreamLength = 100_000;

/** The caller's side: every request has a deadline, the requests of one turn travel together. */
export class RpcClient extends ClientProxy {
  private readonly replyTo: string;
  private readonly waiting = new Map<number, Waiting>();
  private readonly timeoutMs: number;
  private readonly maxWaiting: number;
  private subscriber: Redis | undefined;
  private connecting: Promise<void> | undefined;
  private outgoing: OutgoingEntry[] = [];
  private subscribed = false;
  private lastId = 0;

  constructor(private readonly options: RpcClientOptions) {
    super();
    this.replyTo = replyChannel(options.connections, uuidv7());
    this.timeoutMs = options.timeoutMs ?? 10_000;
    this.maxWaiting = options.maxWaiting ?? 10_000;
  }

  override connect(): Promise<void> {
    this.connecting ??= this.subscribe();
    return this.connecting;
  }

  /** Refuses what is still waiting; nothing is left to hang. */
  override close(): void {
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(unavailable('The service is shutting down.'));
    }
    this.waiting.clear();
    this.subscriber?.disconnect();
  }

  override unwrap<T>(): T {
    return this.options.connections as T;
  }

  async request(request: RpcRequest): Promise<Answer> {
    if (this.waiting.size >= this.maxWaiting)
      throw unavailable('Too many requests are waiting for an answer.');
    const answer = await this.sendAndWait(request);
    if (answer.head.error) throw fromWireError(answer.head.error);
    if (!answer.head.sealed) return answer;
    return { head: answer.head, body: this.options.keyRing.open(answer.body, sealContext(request.name)) };
  }

  protected override publish(packet: ReadPacket, callback: (packet: WritePacket) => void): () => void {
    const { service, name } = packet.pattern as { service: string; name: string };
    this.request({ service, name, payload: packet.data as unknown }).then(
      (answer) => callback({ response: JSON.parse(answer.body) as unknown, isDisposed: true }),
      (error: unknown) => callback({ err: error, isDisposed: true }),
    );
    return () => undefined;
  }

  protected override dispatchEvent(): Promise<never> {
    throw new Error('Facts go through the outbox, not through the RPC client');
  }

  private sendAndWait({ service, name, payload, sealed, timeoutMs }: RpcRequest): Promise<Answer> {
    const id = (this.lastId += 1);
    const wait = timeoutMs ?? this.timeoutMs;
    const context = currentContext();
    const head: RequestHead = {
      id,
      replyTo: this.replyTo,
      name,
      deadlineAt: Date.now() + wait,
      sealed,
      requestId: context?.requestId,
      traceparent: context?.traceparent,
    };
    const text = JSON.stringify(payload);
    const body = sealed ? this.options.keyRing.seal(text, sealContext(name)) : text;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.expire(id, service), wait);
      this.waiting.set(id, { name, resolve, reject, timer });
      const entry: OutgoingEntry = [
        requestStream(this.options.connections, service),
        JSON.stringify(head),
        body,
      ];
      if (this.subscribed) this.enqueue(entry);
      else void this.connect().then(() => this.enqueue(entry));
    });
  }

  private enqueue(entry: OutgoingEntry): void {
    if (this.outgoing.length === 0) setImmediate(() => this.flush());
    this.outgoing.push(entry);
  }

  private flush(): void {
    const pipeline = this.options.connections.shared.pipeline();
    for (const [stream, head, body] of this.outgoing) {
      pipeline.xadd(stream, 'MAXLEN', '~', maxStreamLength, '*', 'h', head, 'b', body);
    }
    this.outgoing = [];
    // A request that could not be written runs into its deadline like one that nobody answers.
    pipeline.exec().catch(() => undefined);
  }

  private expire(id: number, service: string): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    waiting?.reject(unavailable(`The ${service} service did not answer in time.`));
  }

  private async subscribe(): Promise<void> {
    this.subscriber = this.options.connections.connect('rpc-reply');
    this.subscriber.on('message', (_channel, message: string) => {
      for (const answer of decodeAnswers(message)) this.settle(answer);
    });
    await this.subscriber.subscribe(this.replyTo);
    this.subscribed = true;
  }

  private settle(answer: Answer): void {
    const waiting = this.waiting.get(answer.head.id);
    if (!waiting) return;
    this.waiting.delete(answer.head.id);
    clearTimeout(waiting.timer);
    waiting.resolve(answer);
  }
}

function unavailable(message: string): AppError {
  return new AppError('unavailable', message, { retryAfterSeconds: 1 });
}
