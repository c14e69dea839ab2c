import { WakeableLoop } from '@aos/persistence';
import { Logger, Shutdown } from '@aos/platform';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HumanRequestsRepository } from './human-requests.repository.js';
import { HumanRequestsService } from './human-requests.service.js';

const lookEveryMs = 1_000;
const batchSize = 100;

/** Settles requests whose due date has passed. Postgres knows the dates; nothing in Redis has to. */
@Injectable()
export class HumanRequestDeadlines implements OnApplicationBootstrap {
  private readonly looking: WakeableLoop;

  constructor(
    @Inject(HumanRequestsRepository) requests: HumanRequestsRepository,
    @Inject(HumanRequestsService) service: HumanRequestsService,
    @Inject(Shutdown) private readonly shutdown: Shutdown,
    @Inject(Logger) logger: Logger,
  ) {
    this.looking = new WakeableLoop({
      name: 'the watch over due dates',
      idleMs: lookEveryMs,
      logger,
      work: async () => {
        const due = await requests.overdue(batchSize);
        for (const request of due) await service.expire(request);
        return due.length === batchSize;
      },
    });
  }

  onApplicationBootstrap(): void {
    this.looking.start();
    this.shutdown.add('drain', 'the watch over due dates', () => this.looking.stop());
  }
}
