import type { BackgroundLoops, WakeableLoop } from '@aos/background';
import { noteActivity, type Logger } from '@aos/platform';
import type { EventPublisher } from '../streams/event-streams.js';
import type { OutboxLog } from './outbox-log.js';

export interface OutboxRelayOptions {
  readonly service: string;
  readonly log: OutboxLog;
  readonly publisher: EventPublisher;
  readonly logger: Logger;
  readonly loops: BackgroundLoops;
}

const batchSize = 500;
/** Finds what another replica committed before it died. */
const idleMs = 1_000;
/** Each round is a commit of its own; under load one serves the events of many. An event that comes alone does not wait. */
const gatherMs = 50;

/** Numbers committed events and puts them on the service's stream. */
export class OutboxRelay {
  private readonly loop: WakeableLoop;
  /** Whether there is something to number for certain. */
  private hasNews = true;

  constructor(private readonly options: OutboxRelayOptions) {
    this.loop = options.loops.add({ name: 'the outbox relay', work: () => this.relay(), idleMs, gatherMs });
  }

  wake(): void {
    noteActivity();
    this.hasNews = true;
    this.loop.wake();
  }

  private async relay(): Promise<boolean> {
    const { log } = this.options;
    if (!this.hasNews && !(await log.needsNumbering())) return false;
    this.hasNews = false;
    const events = await log.number(batchSize);
    // Redis may be away: consumers pull what it does not bring, so nothing waits for it here.
    if (events.length > 0) void this.publish(events);
    return events.length >= batchSize;
  }

  private async publish(events: Parameters<EventPublisher['publish']>[1]): Promise<void> {
    try {
      await this.options.publisher.publish(this.options.service, events);
    } catch (error) {
      this.options.logger.warn({ err: error }, 'publishing events failed; consumers will pull them');
    }
  }
}
