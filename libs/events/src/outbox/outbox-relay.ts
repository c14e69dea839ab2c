import { BackgroundLoops, type WakeableLoop } from '@aos/background';
import { Logger, noteActivity, ServiceIdentity } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { EventPublisher } from '../streams/event-streams.js';
import { OutboxLog } from './outbox-log.js';

const batchSize = 500;
/** Finds what another replica committed before it died. */
const idleMs = 1_000;
/** Each round is a commit of its own; under load one serves the events of many. An event that comes alone does not wait. */
const gatherMs = 50;

/** Numbers committed events and puts them on the service's stream. */
@Injectable()
export class OutboxRelay {
  private readonly loop: WakeableLoop;
  /** Whether there is something to number for certain. */
  private hasNews = true;

  constructor(
    loops: BackgroundLoops,
    private readonly identity: ServiceIdentity,
    private readonly log: OutboxLog,
    private readonly publisher: EventPublisher,
    private readonly logger: Logger,
  ) {
    this.loop = loops.add({ name: 'the outbox relay', work: () => this.relay(), idleMs, gatherMs });
  }

  wake(): void {
    noteActivity();
    this.hasNews = true;
    this.loop.wake();
  }

  private async relay(): Promise<boolean> {
    if (!this.hasNews && !(await this.log.needsNumbering())) return false;
    this.hasNews = false;
    const events = await this.log.number(batchSize);
    // Redis may be away: consumers pull what it does not bring, so nothing waits for it here.
    if (events.length > 0) void this.publish(events);
    return events.length >= batchSize;
  }

  private async publish(events: Parameters<EventPublisher['publish']>[1]): Promise<void> {
    try {
      await this.publisher.publish(this.identity.service, events);
    } catch (error) {
      this.logger.warn({ err: error }, 'publishing events failed; consumers will pull them');
    }
  }
}
