import { pullEvents } from '@aos/contracts';
import { HandlesInternal } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { OutboxLog, type EventsAfter } from './outbox-log.js';

/** Gives consumers what Redis did not bring. */
@Controller()
export class OutboxController {
  constructor(private readonly log: OutboxLog) {}

  @HandlesInternal(pullEvents)
  async pullEvents(request: { after: number; limit: number; epoch?: string }): Promise<EventsAfter> {
    return this.log.after(request.after, request.limit, request.epoch);
  }
}
