import { BackgroundLoops } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { HumanRequestsRepository } from './human-requests.repository.js';
import { HumanRequestsService } from './human-requests.service.js';

const lookEveryMs = 1_000;
const batchSize = 100;

/** Settles requests whose due date has passed. Postgres knows the dates; nothing in Redis has to. */
@Injectable()
export class HumanRequestDeadlines {
  constructor(
    @Inject(HumanRequestsRepository) requests: HumanRequestsRepository,
    @Inject(HumanRequestsService) service: HumanRequestsService,
    @Inject(BackgroundLoops) loops: BackgroundLoops,
  ) {
    loops.add({
      name: 'the watch over due dates',
      idleMs: lookEveryMs,
      work: async () => {
        const due = await requests.overdue(batchSize);
        for (const request of due) await service.expire(request);
        return due.length === batchSize;
      },
    });
  }
}
