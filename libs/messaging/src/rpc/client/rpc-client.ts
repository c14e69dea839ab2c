import { AppError, frontRole, serviceOfRole } from '@aos/contracts';
import { currentContext, Tracing, TransientMap, type Metrics, type SpanDraft } from '@aos/platform';
import type { KeyRing } from '@aos/secrets';
import { uuidv7 } from 'uuidv7';
import type { RedisConnections } from '../../redis/redis-connections.js';
import { AnswerChannels } from './answer-channels.js';
import type { InProcessServices } from '../in-process-services.js';
import { RequestWriter, type OutgoingRequest } from './request-writer.js';
import { callTimes, outcomeOf, type ObserveCall, type RpcOutcome } from '../wire/rpc-metrics.js';
import { replyChannels, requestStream, sealContext, waitingAnswers } from '../wire/rpc-names.js';
import { decodeAnswers, fromWireError, type Answer, type AnswerHead } from '../wire/rpc-frames.js';
import type { RequestHead } from '../wire/request-frames.js';

export interface RpcClientOptions {
  readonly connections: RedisConnections;
  readonly keyRing: KeyRing;
  /** Who asks; an operator's tool does so in place of the gateway. */
  readonly role?: string;
  readonly timeoutMs?: number;
  /** Requests waiting for an answer at once; past it a call is refused instead of queueing without end. */
  readonly maxWaiting?: number;
  readonly tracing?: Tracing;
  readonly metrics?: Metrics;
  /** Those with whom the caller shares its process, if any. */
  readonly neighbours?: InProcessServices;
  /** How long a service may be silent about a request that it has begun to work on, and said so. */
  readonly maxSilenceMs?: number;
  /** Told of messages that are no answers. */
  readonly onError?: (error: unknown) => void;
}

export interface RpcRequest {
  readonly service: string;
  readonly name: string;
  readonly payload: unknown;
  /** A public operation: it goes where the requests of clients lie, which the front role alone may write to. */
  readonly isOperation?: boolean;
  readonly sealed?: boolean;
  /** Whether what the answer says is sealed by whoever has the keys. */
  readonly isAnswerSealed?: boolean;
  readonly timeoutMs?: number;
  /** Gives the request up before its deadline. */
  readonly signal?: AbortSignal;
}

interface Waiting {
  readonly service: string;
  /** None where the request does not leave the process. */
  readonly outgoing?: OutgoingRequest;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: AppError) => void;
  readonly stopWatching: () => void;
  /** Set once the service has said that it is at it. */
  silence?: NodeJS.Timeout;
}

/** Who waits longer than this wants to hear that somebody is at it. */
const longWaitMs = 30_000;
/** Several times what lies between two signs. */
const maxSilenceMs = 15_000;
/** A timer that is as late as this was held up with all else in the process. */
const standstillMs = 1_000;

/** The caller's side: every request has a deadline, the requests of one turn travel together. */
export class RpcClient {
  private readonly waiting = new TransientMap<number, Waiting>();
  private readonly timeoutMs: number;
  private readonly maxWaiting: number;
  private readonly channels: AnswerChannels;
  private readonly writer: RequestWriter;
  private readonly tracing: Tracing;
  private readonly observe: ObserveCall | undefined;
  private connecting: Promise<void> | undefined;
  private closed = false;
  private lastId = 0;

  constructor(private readonly options: RpcClientOptions) {
    this.timeoutMs = options.timeoutMs ?? 10_000;
    this.maxWaiting = options.maxWaiting ?? 10_000;
    this.tracing = options.tracing ?? Tracing.off;
    this.observe = callTimes(options.metrics);
    const process = uuidv7();
    this.channels = new AnswerChannels({
      connections: options.connections,
      channelOf: (service) => replyChannels(options.connections, service, this.role) + process,
      onMessage: (service, message) => this.receive(service, message),
      onOpen: (services) => this.hear(services),
    });
    this.writer = new RequestWriter(options.connections, ({ replyTo }) => this.channels.isOpen(replyTo));
  }

  /** Resolves when Redis is there; requests made before wait for that, not longer than their deadline. */
  connect(): Promise<void> {
    this.connecting ??= new Promise((resolve) => {
      this.writer.connect();
      this.channels.connect(resolve);
    });
    return this.connecting;
  }

  /** Refuses what is still waiting; nothing is left to hang. */
  close(): void {
    this.closed = true;
    for (const id of [...this.waiting.keys()]) this.giveUp(id, closing());
    this.channels.close();
    this.writer.close();
  }

  async request(request: RpcRequest): Promise<Answer> {
    if (this.closed || request.signal?.aborted) throw closing();
    if (this.waiting.size >= this.maxWaiting)
      throw unavailable('Too many requests are waiting for an answer.');
    const answer = await this.tracing.part(spanOf(request), async (span) => {
      const received = await this.timed(request);
      if (received.head.error) span.fail(received.head.error.code);
      return received;
    });
    if (answer.head.error) throw fromWireError(answer.head.error);
    if (!answer.head.sealed) return answer;
    return { head: answer.head, body: this.options.keyRing.open(answer.body, sealContext(request.name)) };
  }

  private async timed(request: RpcRequest): Promise<Answer> {
    const began = performance.now();
    const { service: target, name: operation } = request;
    const tell = (outcome: RpcOutcome) =>
      this.observe?.({ target, operation, outcome }, performance.now() - began);
    try {
      const answer = await this.sendAndWait(request);
      tell(outcomeOf(answer.head));
      return answer;
    } catch (error) {
      tell('unavailable');
      throw error;
    }
  }

  private sendAndWait(request: RpcRequest): Promise<Answer> {
    const { service, name, payload, sealed, isAnswerSealed, timeoutMs, signal } = request;
    const id = (this.lastId += 1);
    const wait = timeoutMs ?? this.timeoutMs;
    const context = currentContext();
    const replyTo = this.channels.channelOf(service);
    const head: RequestHead = {
      id,
      replyTo,
      name,
      waitMs: wait,
      sealed,
      fetches: true,
      follows: wait > longWaitMs || undefined,
      requestId: context?.requestId,
      traceparent: context?.traceparent,
    };
    const text = JSON.stringify(payload);
    const endsAt = performance.now() + wait;
    const here = this.options.neighbours?.find(service)?.answerHere(head, text);
    if (here) return this.receiveHere(id, service, here, () => this.watch(id, service, wait, signal));
    const outgoing: OutgoingRequest = {
      ...this.streamsOf(request),
      replyTo,
      head: () => {
        head.waitMs = Math.max(0, endsAt - performance.now());
        return JSON.stringify(head);
      },
      body: sealed ? this.options.keyRing.seal(text, sealContext(name)) : text,
      refused: () => this.giveUp(id, unavailable('The request could not be passed on.')),
    };
    return new Promise((resolve, reject) => {
      const stopWatching = this.watch(id, service, wait, signal);
      const take = (answer: Answer) => {
        const isForged = isAnswerSealed && !answer.head.sealed && !answer.head.error;
        if (isForged) reject(unavailable(`An answer of the ${service} service was not sealed.`));
        else resolve(answer);
      };
      this.waiting.set(id, { service, outgoing, resolve: take, reject, stopWatching });
      void this.connect();
      this.writer.write(outgoing);
    });
  }

  /** Deadline and end of the caller's patience are those of any request; the handler is not stopped by them. */
  private receiveHere(
    id: number,
    service: string,
    answer: Promise<Answer>,
    watch: () => () => void,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { service, resolve, reject, stopWatching: watch() });
      answer.then(
        (received) => this.take(id)?.resolve(received),
        (error: unknown) => {
          this.options.onError?.(error);
          this.giveUp(id, unavailable('The request could not be answered.'));
        },
      );
    });
  }

  /** Ends the wait at the deadline or when the caller gives up. */
  private watch(id: number, service: string, waitMs: number, signal: AbortSignal | undefined): () => void {
    const timer = setTimeout(() => {
      this.giveUp(id, unavailable(`The ${service} service did not answer in time.`));
    }, waitMs);
    if (!signal) return () => clearTimeout(timer);
    const onAbort = () => this.giveUp(id, closing());
    signal.addEventListener('abort', onAbort, { once: true });
    return () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
  }

  /** Where a request is put, and where a service of the version before looks for it. A service has no stream for itself. */
  private streamsOf({ service, isOperation }: RpcRequest): Pick<OutgoingRequest, 'stream' | 'formerStream'> {
    const { connections } = this.options;
    const { role } = this;
    const ofClients = requestStream(connections, service);
    if (isOperation || role === frontRole || serviceOfRole(role) === service) return { stream: ofClients };
    return { stream: requestStream(connections, service, role), formerStream: ofClients };
  }

  private giveUp(id: number, error: AppError): void {
    const waiting = this.take(id);
    if (!waiting) return;
    if (waiting.outgoing) this.writer.takeBack(waiting.outgoing);
    waiting.reject(error);
  }

  private take(id: number): Waiting | undefined {
    const waiting = this.waiting.delete(id);
    waiting?.stopWatching();
    clearTimeout(waiting?.silence);
    return waiting;
  }

  /** Answers of these services are heard, perhaps after Redis was away: what waits for them is sent. */
  private hear(services: readonly string[]): void {
    for (const [id, { service, silence }] of this.waiting)
      if (silence && services.includes(service)) this.awaitNextSign(id);
    this.writer.wake();
  }

  private receive(service: string, message: string): void {
    try {
      for (const answer of decodeAnswers(message)) {
        const { id, isAtWork, waitsAt } = answer.head;
        // What another service was asked is not for this one to answer.
        const isAsked = this.waiting.get(id)?.service === service;
        if (waitsAt !== undefined) void this.fetch(service, answer.head, waitsAt, isAsked);
        else if (isAsked && isAtWork) this.awaitNextSign(id);
        else if (isAsked) this.take(id)?.resolve(answer);
      }
    } catch (error) {
      this.options.onError?.(error);
    }
  }

  /**
   * The process that said it is at work has gone if it says nothing more; while Redis is away nobody can. Where this one
   * stood still itself, the signs of that time are still to be read.
   */
  private awaitNextSign(id: number): void {
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    clearTimeout(waiting.silence);
    const silenceMs = this.options.maxSilenceMs ?? maxSilenceMs;
    const began = performance.now();
    waiting.silence = setTimeout(() => {
      const stoodStill = performance.now() - began > silenceMs + standstillMs;
      const isHeard = this.channels.isOpen(this.channels.channelOf(waiting.service));
      if (isHeard && !stoodStill)
        this.giveUp(id, unavailable('The process that had the request in hand has gone.'));
      else this.awaitNextSign(id);
    }, silenceMs);
  }

  /** Gets an answer where it waits. It is read, then removed: a read that a broken connection repeats finds it still. */
  private async fetch(service: string, head: AnswerHead, key: string, isAsked: boolean): Promise<void> {
    const { connections } = this.options;
    try {
      if (!key.startsWith(waitingAnswers(connections, service, this.role)))
        throw new Error(`No answer of ${service} waits under such a key`);
      const body = isAsked ? await connections.shared.get(key) : undefined;
      if (body === null) this.giveUp(head.id, unavailable('The answer was lost.'));
      else if (body !== undefined) this.take(head.id)?.resolve({ head, body });
      await connections.shared.unlink(key);
    } catch (error) {
      // The caller sees its deadline; the key goes by itself.
      this.options.onError?.(error);
    }
  }

  private get role(): string {
    return this.options.role ?? frontRole;
  }
}

/** How OpenTelemetry names a call of another service. */
function spanOf({ service, name }: RpcRequest): SpanDraft {
  return {
    name: `${service}/${name}`,
    kind: 'client',
    attributes: { 'rpc.system': 'aos', 'rpc.service': service, 'rpc.method': name },
  };
}

function unavailable(message: string): AppError {
  return new AppError('unavailable', message, { retryAfterSeconds: 1 });
}

function closing(): AppError {
  return unavailable('The service is shutting down.');
}
