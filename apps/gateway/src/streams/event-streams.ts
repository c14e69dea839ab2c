import { AppError, type Operation, type OperationEnvelope } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { Logger } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator } from '../auth/authenticator.js';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';
import { sendAnswer } from '../http/send-answer.js';
import { untilAborted } from './abort.js';
import { eventFrame, eventStreamHeaders } from './event-frames.js';
import { EventStreamWriter } from './event-stream-writer.js';
import { followPages, startOfStream, type EventPage, type PagesToFollow } from './follow-pages.js';
import { resumingQuery } from './last-event-id.js';
import { OpenRequests } from './open-requests.js';

export interface StreamSource<Page> {
  readonly operation: Operation;
  /** The answer of the owner, read. */
  parse(body: unknown): Page;
  toEventPage(page: Page): EventPage;
  /** The number after which there was nothing, if the first page has no events. */
  startOf(page: Page, query: Readonly<Record<string, unknown>>): number;
  /** Before a page is read. */
  beforeRead?(): void;
  readonly untilMore: PagesToFollow['untilMore'];
  /** When the stream is over. */
  release?(): void;
}

/** Streams: the owner answers pages, the client reads server-sent events. */
@Injectable()
export class EventStreams {
  constructor(
    private readonly services: ServiceClient,
    private readonly authenticator: Authenticator,
    private readonly requests: OpenRequests,
    private readonly logger: Logger,
    @Inject(GatewaySettings) private readonly settings: Pick<GatewayConfig, 'EVENT_STREAM_KEEP_ALIVE_MS'>,
  ) {}

  async serve<Page>(
    source: StreamSource<Page>,
    envelope: OperationEnvelope,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const leave = this.leaving(source, envelope);
    try {
      return await this.serveInPlace(source, envelope, request, reply, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  private leaving<Page>(source: StreamSource<Page>, { principal }: OperationEnvelope): () => void {
    try {
      const leave = this.requests.acquire(principal);
      return () => {
        leave();
        source.release?.();
      };
    } catch (error) {
      source.release?.();
      throw error;
    }
  }

  /** Leaves its place when the stream is over. */
  private async serveInPlace<Page>(
    source: StreamSource<Page>,
    envelope: OperationEnvelope,
    request: FastifyRequest,
    reply: FastifyReply,
    leave: () => void,
  ): Promise<FastifyReply> {
    const { operation } = source;
    const { headers } = request;
    const query = resumingQuery(operation, envelope.query, headers['last-event-id']);
    source.beforeRead?.();
    const answer = await this.services.callOperation(operation, { ...envelope, query });
    if (answer.status !== operation.status) {
      leave();
      return sendAnswer(reply, answer);
    }
    if (request.method === 'HEAD') {
      leave();
      return reply.headers(eventStreamHeaders).send();
    }
    const first = source.parse(JSON.parse(answer.body));
    const pages = {
      first: source.toEventPage(first),
      after: source.startOf(first, query),
      read: async (after: number, known?: EventPage) =>
        (await this.authenticator.stillHolds(headers))
          ? (known ?? this.read(source, { ...envelope, query }, after))
          : undefined,
      untilMore: source.untilMore,
    };
    const writer = new EventStreamWriter(this.settings.EVENT_STREAM_KEEP_ALIVE_MS, startOfStream(pages));
    void this.requests
      .track('stream', reply, (signal) => this.write(writer, { ...pages, signal }, envelope))
      .finally(leave);
    return reply.headers(eventStreamHeaders).send(writer.body);
  }

  private async write(
    writer: EventStreamWriter,
    pages: PagesToFollow,
    { params }: OperationEnvelope,
  ): Promise<void> {
    const { signal } = pages;
    try {
      for await (const events of followPages(pages)) {
        await writer.write(events.map(eventFrame).join(''), signal);
      }
    } catch (error) {
      this.logger.warn({ err: error, ...params }, 'event stream aborted; the client can resume');
    }
    writer.end();
    // Held until the client has read the rest.
    await untilAborted(signal);
  }

  private async read<Page>(
    source: StreamSource<Page>,
    envelope: OperationEnvelope,
    after: number,
  ): Promise<EventPage> {
    const { operation } = source;
    source.beforeRead?.();
    const query = { ...envelope.query, after };
    const answer = await this.services.callOperation(operation, { ...envelope, query });
    if (answer.status === operation.status) return source.toEventPage(source.parse(JSON.parse(answer.body)));
    if (answer.status === 503) throw new AppError('unavailable', 'The event service is unavailable.');
    throw new Error(`The owner of the events answered ${answer.status} to a page of them`);
  }
}
