import { AppError, streamRunEvents } from '@aos/contracts';
import { ServiceClient, type OperationEnvelope } from '@aos/messaging';
import { Logger } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator } from '../auth/authenticator.js';
import { bearerToken } from '../auth/bearer-token.js';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';
import { sendAnswer } from '../http/send-answer.js';
import { untilAborted } from './abort.js';
import { eventFrame, eventStreamHeaders, type EventPage } from './event-frames.js';
import { EventStreamWriter } from './event-stream-writer.js';
import { followPages, type PagesToFollow } from './follow-pages.js';
import { OpenRequests } from './open-requests.js';
import { lastEventId } from './last-event-id.js';
import { RunProgressFeed } from './run-progress-feed.js';

/** streamRunEvents: the owner answers pages, the client reads server-sent events. */
@Injectable()
export class RunEventStreams {
  constructor(
    private readonly services: ServiceClient,
    private readonly authenticator: Authenticator,
    private readonly feed: RunProgressFeed,
    private readonly requests: OpenRequests,
    private readonly logger: Logger,
    @Inject(GatewaySettings) private readonly settings: Pick<GatewayConfig, 'EVENT_STREAM_KEEP_ALIVE_MS'>,
  ) {}

  async serve(
    envelope: OperationEnvelope,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const leave = this.requests.takePlace(envelope.principal);
    try {
      return await this.serveInPlace(envelope, request, reply, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Leaves its place when the stream is over. */
  private async serveInPlace(
    envelope: OperationEnvelope,
    request: FastifyRequest,
    reply: FastifyReply,
    leave: () => void,
  ): Promise<FastifyReply> {
    const { 'last-event-id': header, authorization } = request.headers;
    const query = header === undefined ? envelope.query : { ...envelope.query, after: lastEventId(header) };
    const answer = await this.services.callOperation(streamRunEvents, { ...envelope, query });
    if (answer.status !== streamRunEvents.status) {
      leave();
      return sendAnswer(reply, answer);
    }
    const pages = {
      runId: streamRunEvents.params.parse(envelope.params).run_id,
      first: pageIn(answer.body),
      after: streamRunEvents.query.parse(query).after,
      read: (after: number) => this.read(envelope, after, authorization),
      feed: this.feed,
    };
    const writer = new EventStreamWriter(this.settings.EVENT_STREAM_KEEP_ALIVE_MS);
    void this.requests
      .track('stream', reply, (signal) => this.write(writer, { ...pages, signal }))
      .finally(leave);
    return reply.headers(eventStreamHeaders).send(writer.body);
  }

  private async write(writer: EventStreamWriter, pages: PagesToFollow): Promise<void> {
    const { runId, signal } = pages;
    try {
      for await (const events of followPages(pages)) {
        await writer.write(events.map(eventFrame).join(''), signal);
      }
    } catch (error) {
      this.logger.warn({ err: error, run_id: runId }, 'a stream was broken off; its client can resume');
    }
    writer.end();
    // Held until the client has read the rest.
    await untilAborted(signal);
  }

  /** A stream may outlive its credential, which is why it is looked at before each page. */
  private async read(
    envelope: OperationEnvelope,
    after: number,
    authorization: string | undefined,
  ): Promise<EventPage | undefined> {
    const token = bearerToken(authorization);
    if (token === undefined || !(await this.authenticator.authenticate(token))) return undefined;
    const query = { ...envelope.query, after };
    const answer = await this.services.callOperation(streamRunEvents, { ...envelope, query });
    if (answer.status === streamRunEvents.status) return pageIn(answer.body);
    if (answer.status === 503) throw new AppError('unavailable', 'The owner of the run is away.');
    throw new Error(`The owner of the run answered ${answer.status} to a page of its events`);
  }
}

function pageIn(body: string): EventPage {
  return streamRunEvents.response.parse(JSON.parse(body));
}
