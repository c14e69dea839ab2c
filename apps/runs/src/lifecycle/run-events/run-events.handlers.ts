import { streamRunEvents, type Req } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { RunEventsRepository } from './run-events.repository.js';

@Controller()
export class RunEventsHandlers {
  constructor(private readonly events: RunEventsRepository) {}

  @Handles(streamRunEvents)
  async streamRunEvents({ teamId, params, query }: Req<typeof streamRunEvents>) {
    const { events, complete, ended } = await this.events.page(teamId, params.run_id, query.after);
    return {
      events: events.map(({ id, seq, event, data, created_at: at }) => ({
        id,
        seq,
        event,
        data,
        created_at: at.toISOString(),
      })),
      complete,
      ended,
    };
  }
}
