import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  obligationsOf,
  type ContractTable,
  type InternalCall,
  type Operation,
  type OperationAnswer,
  type OperationEnvelope,
  type OperationRequest,
} from '@aos/contracts';
import {
  noteActivity,
  Tracing,
  TransientSet,
  type Logger,
  type Metrics,
  type SpanDraft,
  type WorkGate,
} from '@aos/platform';
import type { KeyRing } from '@aos/secrets';
import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import { RedisClock, timeOfEntryMs } from '../../redis/redis-clock.js';
import type { RedisConnections } from '../../redis/redis-connections.js';
import { StreamReader, type StreamEntry } from '../../redis/stream-reader.js';
import { assertExactlyOne } from '../../handler-discovery.js';
import { AnswerBatcher } from './answer-batcher.js';
import { maxAnswerBytes } from './answer-sizes.js';
import type { Neighbour, InProcessServices } from '../in-process-services.js';
import type { OperationPipeline } from '../operation-pipeline.js';
import { ExpiredRequests } from './expired-requests.js';
import { parseEnvelope, parseRequestHead, type RequestHead } from '../wire/request-frames.js';
import { answerTimes, outcomeOf, showClockOffset, type ObserveAnswer } from '../wire/rpc-metrics.js';
import { RequestStreams } from './request-streams.js';
import { rpcGroup, sealContext, waitingAnswer } from '../wire/rpc-names.js';
import { toWireError, type Answer, type AnswerHead } from '../wire/rpc-frames.js';
import { RpcHeartbeat } from './rpc-heartbeat.js';

export interface RpcServerOptions {
  readonly service: string;
  readonly table: ContractTable;
  readonly connections: RedisConnections;
  readonly keyRing: KeyRing;
  readonly logger: Logger;
  readonly tracing?: Tracing;
  readonly metrics?: Metrics;
  /** While it is closed, requests stay in Redis for other replicas. */
  readonly gate?: WorkGate;
  /** What every operation goes through. */
  readonly pipeline: OperationPipeline;
  /** What a caller is told of an error that no handler threw on purpose; nothing where it is a fault. */
  readonly refusalFor?: (error: unknown) => AppError | undefined;
  /** Those with whom the service shares its process, if any. */
  readonly neighbours?: InProcessServices;
  /** Off where other processes of the service answer; its handlers are checked all the same. */
  readonly answers?: boolean;
  /** Requests in hand at once; further ones wait in Redis, where another replica can take them. */
  readonly maxInFlight?: number;
  /** The longest that a caller waits; what lies in Redis for longer was in the hand of a dead replica. */
  readonly maxWaitMs?: number;
}

const tooLarge = 'The answer is too large to be passed on.';
const readBatch = 64;
const retryReadMs = 200;
const lookWhileClosedMs = 250;
/** A replica that can work takes a request sooner. */
const leftLyingMs = 1_000;
/** A caller takes back what it no longer waits for. This is for callers that died as well. */
const forgottenAfterMs = 120_000;
const trimEveryMs = 30_000;

/** Nest's transport strategy over Redis Streams: replicas share requests, each is handled at most once. */
export class RpcServer extends Server implements CustomTransportStrategy, Neighbour {
  private readonly operations: ReadonlyMap<string, Operation>;
  private readonly internalCalls: ReadonlyMap<string, InternalCall>;
  private readonly duplicates: string[] = [];
  private readonly streams: RequestStreams;
  private readonly answers: AnswerBatcher;
  private readonly signs: RpcHeartbeat;
  private readonly tracing: Tracing;
  private readonly observe: ObserveAnswer | undefined;
  private readonly clock: RedisClock;
  private readonly expired: ExpiredRequests;
  private readonly inFlight = new TransientSet<Promise<unknown>>();
  /** Where no caller's transaction or trace is open. */
  private readonly outside = AsyncLocalStorage.snapshot();
  private readonly maxInFlight: number;
  private readonly forgottenAfterMs: number;
  private reader: StreamReader | undefined;
  private reading: Promise<void> | undefined;
  private trimTimer: NodeJS.Timeout | undefined;
  private stopping = false;
  private whenOneEnds: (() => void) | undefined;

  constructor(private readonly options: RpcServerOptions) {
    super();
    this.tracing = options.tracing ?? Tracing.off;
    this.observe = answerTimes(options.metrics);
    this.clock = new RedisClock(options.connections);
    this.expired = new ExpiredRequests(options.logger, options.metrics);
    showClockOffset(options.metrics, this.clock);
    const obligations = obligationsOf(options.service, options.table);
    this.operations = new Map(obligations.operations.map((operation) => [operation.operationId, operation]));
    this.internalCalls = new Map(obligations.internalCalls.map((call) => [call.name, call]));
    this.maxInFlight = options.maxInFlight ?? 256;
    this.forgottenAfterMs = Math.max(forgottenAfterMs, 2 * (options.maxWaitMs ?? 0));
    this.streams = new RequestStreams(options.connections, options.service, options.table);
    this.signs = new RpcHeartbeat(options.connections.shared);
    this.answers = new AnswerBatcher({
      redis: options.connections.shared,
      waitingKey: (replyTo, id) => waitingAnswer(options.connections, replyTo, id),
      onError: (error) => options.logger.error({ err: error }, 'sending RPC replies failed'),
    });
  }

  override addHandler(pattern: unknown, callback: MessageHandler, isEventHandler = false): void {
    const name = String(pattern);
    if (this.messageHandlers.has(name)) this.duplicates.push(name);
    super.addHandler(pattern, callback, isEventHandler);
  }

  listen(callback: (error?: Error) => void): void {
    this.start().then(
      () => callback(),
      (error: Error) => callback(error),
    );
  }

  /** Handles an operation of this service in this process, without the way over Redis. */
  handleLocally(operation: Operation, envelope: OperationEnvelope): Promise<OperationAnswer> {
    const { pipeline } = this.options;
    return pipeline.run(operation, envelope, (request) => this.invoke(operation.operationId, request));
  }

  /** Past its share of requests the service has the next ones wait in Redis, as those of other processes do. */
  answerHere(head: RequestHead, text: string): Promise<Answer> | undefined {
    if (this.stopping || this.inFlight.size >= this.maxInFlight) return undefined;
    const work = this.outside(() =>
      this.respond(head, String(head.id), () => JSON.parse(text) as unknown, false),
    );
    this.track(work);
    return work;
  }

  /** Stops taking requests and resolves when those in hand are answered. */
  async close(): Promise<void> {
    if (this.stopping) return;
    this.stopping = true;
    this.options.neighbours?.remove(this.options.service);
    clearInterval(this.trimTimer);
    this.clock.stop();
    await this.reader?.close();
    await this.reading;
    await Promise.all(this.inFlight);
    await this.answers.settle();
    this.reader?.disconnect();
  }

  on(): never {
    throw new Error('The RPC server emits no events');
  }

  unwrap<T>(): T {
    return this.options.connections as T;
  }

  private async start(): Promise<void> {
    assertExactlyOne({
      what: `operation of ${this.options.service}`,
      declared: [...this.operations.keys(), ...this.internalCalls.keys()],
      handled: [...this.messageHandlers.keys(), ...this.duplicates],
    });
    if (this.options.answers === false) return;
    this.reader = new StreamReader(this.options.connections, rpcGroup);
    await this.reader.createGroups(this.streams.keys);
    await this.clock.start();
    this.options.gate?.onChange({
      onClose: () => void this.reader?.interrupt().catch(() => undefined),
      onOpen: () => undefined,
    });
    this.reading = this.readRequests();
    this.options.neighbours?.add(this.options.service, this);
    this.trim();
    this.trimTimer = setInterval(() => this.trim(), trimEveryMs).unref();
  }

  private async readRequests(): Promise<void> {
    while (!this.stopping) {
      await this.untilPlace();
      const isOpen = await this.isOpenSoon();
      if (this.stopping) return;
      try {
        if (!isOpen && !(await this.areLeftLying())) continue;
        const free = this.maxInFlight - this.inFlight.size;
        const entries = await this.reader!.read(this.streams.keys, Math.min(free, readBatch), isOpen);
        for (const entry of entries) {
          // InProcessServices may have taken the places while nothing came.
          await this.untilPlace();
          this.accept(entry);
        }
      } catch (error) {
        if (this.stopping) return;
        this.options.logger.warn({ err: error }, 'reading requests failed');
        await new Promise((resolve) => setTimeout(resolve, retryReadMs));
      }
    }
  }

  /** Waits a moment for the gate, and tells whether it is open. */
  private async isOpenSoon(): Promise<boolean> {
    const { gate } = this.options;
    if (!gate || gate.isOpen) return true;
    const ended = new AbortController();
    const pause = delay(lookWhileClosedMs, undefined, { signal: ended.signal }).catch(() => undefined);
    await Promise.race([gate.untilOpen(), pause]).finally(() => ended.abort());
    return gate.isOpen;
  }

  /** Whether no replica can work: then requests are refused here, before their callers give up. */
  private async areLeftLying(): Promise<boolean> {
    for (const stream of this.streams.keys) {
      const oldest = await this.reader!.oldestUnread(stream);
      if (oldest !== undefined && this.ageMs(oldest) > leftLyingMs) return true;
    }
    return false;
  }

  private async untilPlace(): Promise<void> {
    while (this.inFlight.size >= this.maxInFlight) {
      await new Promise<void>((resolve) => (this.whenOneEnds = resolve));
    }
  }

  private accept(entry: StreamEntry): void {
    this.track(
      this.answerEntry(entry).catch((error: unknown) => {
        this.options.logger.error({ err: error }, 'malformed RPC request');
        this.answers.drop(entry.stream, entry.id);
      }),
    );
  }

  /** By the clock of Redis alone. While Redis has not told its time no request counts as old. */
  private ageMs(entryId: string): number {
    return (this.clock.nowMs() ?? 0) - timeOfEntryMs(entryId);
  }

  /** Counts work that never fails, as long as it lasts. */
  private track(work: Promise<unknown>): void {
    const remove = this.inFlight.add(work);
    void work.finally(() => {
      remove();
      this.whenOneEnds?.();
    });
  }

  private async answerEntry({ stream, id, fields }: StreamEntry): Promise<void> {
    const head = parseRequestHead(fields[1]);
    this.streams.check(stream, head);
    const ageMs = this.ageMs(id);
    if (ageMs > head.waitMs) {
      this.expired.add(head.name, ageMs);
      this.answers.drop(stream, id);
      return;
    }
    const { keyRing } = this.options;
    const payloadOf = () => {
      const text = fields[3]!;
      return JSON.parse(head.sealed ? keyRing.open(text, sealContext(head.name)) : text) as unknown;
    };
    const endSigns = head.follows ? this.signs.begin(head) : undefined;
    const answer = await this.respond(head, id, payloadOf, true).finally(endSigns);
    this.answers.add({ replyTo: head.replyTo, stream, entryId: id, fetches: head.fetches }, answer);
  }

  /** The answer, timed and traced. One that leaves the process has its secrets sealed. */
  private async respond(
    head: RequestHead,
    id: string,
    payloadOf: () => unknown,
    leaves: boolean,
  ): Promise<Answer> {
    const began = performance.now();
    const { requestId = id, traceparent, name } = head;
    // What loops of other services ask all the time belongs to no trace, and is no reason to be awake.
    const tracing = traceparent === undefined ? Tracing.off : this.tracing;
    if (traceparent !== undefined) noteActivity();
    const answer = await tracing.within(
      { requestId, traceparent, operationId: name },
      this.spanOf(name),
      async (span) => {
        const made = this.withinLimit(head, await this.answer(head, payloadOf, leaves));
        // A store may be away: only a probe tells.
        if (outcomeOf(made.head) === 'unavailable') this.options.gate?.suspect();
        if (made.head.error) span.fail(made.head.error.code);
        return made;
      },
    );
    // Only names that are declared: what a caller of another version asks for must not become a label.
    if (this.messageHandlers.has(name)) {
      this.observe?.({ operation: name, outcome: outcomeOf(answer.head) }, performance.now() - began);
    }
    return answer;
  }

  private spanOf(name: string): SpanDraft {
    const { service } = this.options;
    return {
      name: `${service}/${name}`,
      kind: 'server',
      attributes: { 'rpc.system': 'aos', 'rpc.service': service, 'rpc.method': name },
    };
  }

  private async answer(head: RequestHead, payloadOf: () => unknown, leaves: boolean): Promise<Answer> {
    try {
      const payload = payloadOf();
      const operation = this.operations.get(head.name);
      if (operation) {
        // A neighbour is of this very version: its types say what the envelope is.
        const envelope = leaves ? parseEnvelope(payload) : (payload as OperationEnvelope);
        const { body, ...answer } = await this.handleLocally(operation, envelope);
        return this.seal(leaves && operation.secrets.response, head.name, { id: head.id, ...answer }, body);
      }
      const call = this.internalCalls.get(head.name);
      if (!call) throw new Error(`${this.options.service} has no handler for ${head.name}`);
      const result = await this.invoke(call.name, call.request.parse(payload));
      const text = JSON.stringify(result ?? null);
      return this.seal(leaves && call.secrets.response, head.name, { id: head.id }, text);
    } catch (error) {
      return { head: { id: head.id, error: this.wireErrorOf(error) }, body: '' };
    }
  }

  private wireErrorOf(error: unknown): ReturnType<typeof toWireError> {
    const { logger, refusalFor } = this.options;
    const refused = error instanceof AppError ? undefined : refusalFor?.(error);
    const wire = toWireError(refused ?? error);
    if (refused) logger.warn({ err: error }, 'request refused; the client may retry');
    else if (wire.code === 'internal_error') logger.error({ err: error }, 'a request failed');
    return wire;
  }

  /** One answer that is too large fails alone. */
  private withinLimit({ id, name }: RequestHead, answer: Answer): Answer {
    const bytes = Buffer.byteLength(answer.body);
    if (bytes <= maxAnswerBytes) return answer;
    this.options.logger.error({ call: name, bytes, max_bytes: maxAnswerBytes }, 'RPC reply too large');
    return { head: { id, error: toWireError(new AppError('internal_error', tooLarge)) }, body: '' };
  }

  private seal(secret: boolean, name: string, head: AnswerHead, body: string): Answer {
    if (!secret) return { head, body };
    return { head: { ...head, sealed: true }, body: this.options.keyRing.seal(body, sealContext(name)) };
  }

  private async invoke(name: string, request: OperationRequest | unknown): Promise<unknown> {
    const result: unknown = await this.messageHandlers.get(name)!(request);
    return isObservable(result) ? lastValueFrom(result) : result;
  }

  private trim(): void {
    const now = this.clock.nowMs();
    if (now === undefined) return;
    const oldest = String(Math.floor(now - this.forgottenAfterMs));
    const { shared } = this.options.connections;
    for (const stream of this.streams.keys) shared.xtrim(stream, 'MINID', oldest).catch(() => undefined);
  }
}
