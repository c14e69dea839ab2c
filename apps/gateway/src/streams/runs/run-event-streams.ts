import { streamRunEvents, type OperationEnvelope } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventStreams, type StreamSource } from '../event-streams.js';
import type { EventPage } from '../follow-pages.js';
import { RunProgressFeed } from './run-progress-feed.js';
import { untilProgress } from './until-progress.js';

/** streamRunEvents: until the run has ended. */
@Injectable()
export class RunEventStreams {
  constructor(
    private readonly streams: EventStreams,
    private readonly feed: RunProgressFeed,
  ) {}

  serve(envelope: OperationEnvelope, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const source: StreamSource<EventPage> = {
      operation: streamRunEvents,
      parse: (body) => streamRunEvents.response.parse(body),
      toEventPage: (page) => page,
      startOf: (_, query) => streamRunEvents.query.parse(query).after,
      // An id may come in any case; progress tells it as it is stored.
      untilMore: untilProgress(this.feed, String(envelope.params['run_id']).toLowerCase()),
    };
    return this.streams.serve(source, envelope, request, reply);
  }
}
