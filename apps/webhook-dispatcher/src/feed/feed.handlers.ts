import { listEvents, type Req } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { FeedRepository } from './feed.repository.js';

@Controller()
export class FeedHandlers {
  constructor(private readonly feed: FeedRepository) {}

  @Handles(listEvents)
  async listEvents({ teamId, query }: Req<typeof listEvents>) {
    const { events, nextCursor, hasMore } = await this.feed.page(teamId, query);
    return { events: [...events], next_cursor: nextCursor, has_more: hasMore };
  }
}
