import { streamTeamEvents, type OperationEnvelope, type OperationResponse } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventStreams, type StreamSource } from '../event-streams.js';
import { lookAgainMs } from '../follow-pages.js';
import { TeamFeedNews } from './team-feed-news.js';

type FeedPage = OperationResponse<typeof streamTeamEvents>;

/** streamTeamEvents: the feed of a team as it grows. */
@Injectable()
export class TeamEventStreams {
  constructor(
    private readonly streams: EventStreams,
    private readonly news: TeamFeedNews,
  ) {}

  serve(envelope: OperationEnvelope, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.streams.serve(this.source(envelope), envelope, request, reply);
  }

  private source({ principal }: OperationEnvelope): StreamSource<FeedPage> {
    const feed = this.news.follow(principal.teamId ?? '');
    let seen = feed.count();
    return {
      operation: streamTeamEvents,
      parse: (body) => streamTeamEvents.response.parse(body),
      toEventPage: ({ events, complete }) => ({ events, complete, ended: false }),
      // Without a cursor the stream begins where the owner says that the feed ends.
      startOf: ({ last }) => last,
      beforeRead: () => {
        seen = feed.count();
      },
      untilMore: async (_, signal) => {
        await feed.next(seen, lookAgainMs, signal);
        return undefined;
      },
      release: feed.release,
    };
  }
}
