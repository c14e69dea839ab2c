import { listEvents, type OperationRequest, type OperationResponse } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { Controller, Inject } from '@nestjs/common';
import { FeedRepository } from './feed.repository.js';

@Controller()
export class FeedHandlers {
  constructor(@Inject(FeedRepository) private readonly feed: FeedRepository) {}

  @Handles(listEvents)
  async listEvents({
    teamId,
    query,
  }: OperationRequest<typeof listEvents>): Promise<OperationResponse<typeof listEvents>> {
    const { events, nextCursor, hasMore } = await this.feed.page(teamId, query);
    return { events: [...events], next_cursor: nextCursor, has_more: hasMore };
  }
}
