import { pullEvents, type BusEvent } from '@aos/contracts';
import { HandlesInternal } from '@aos/messaging';
import { Controller, Inject } from '@nestjs/common';
import { OutboxLog } from './outbox-log.js';

/** Gives consumers what Redis did not bring. */
@Controller()
export class OutboxController {
  constructor(@Inject(OutboxLog) private readonly log: OutboxLog) {}

  @HandlesInternal(pullEvents)
  async pullEvents(request: {
    after: number;
    limit: number;
  }): Promise<{ events: BusEvent[]; oldest: number | null }> {
    return this.log.after(request.after, request.limit);
  }
}
