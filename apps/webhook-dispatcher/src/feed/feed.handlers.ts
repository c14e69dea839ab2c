import { listEvents, streamTeamEvents, type Req } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { FeedRepository } from './feed.repository.js';

/** Events of a stream that are read at once. */
const streamPage = 100;

@Controller()
export class FeedHandlers {
  constructor(private readonly feed: FeedRepository) {}

  @Handles(listEvents)
  async listEvents({ teamId, query }: Req<typeof listEvents>) {
    const { events, nextCursor, hasMore } = await this.feed.page(teamId, query);
    return { events: events.map(({ envelope }) => envelope), next_cursor: nextCursor, has_more: hasMore };
  }

  /** A page of the stream. */
  @Handles(streamTeamEvents)
  async streamTeamEvents({ teamId, query }: Req<typeof streamTeamEvents>) {
    const { types, after = await this.feed.head(teamId) } = query;
    const { events, nextCursor, hasMore } = await this.feed.page(teamId, { after, types, limit: streamPage });
    return {
      events: events.map(({ envelope, position }) => ({ ...envelope, seq: position })),
      last: Number(nextCursor),
      complete: !hasMore,
    };
  }
}
