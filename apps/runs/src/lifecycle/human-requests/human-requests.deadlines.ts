import { BackgroundLoops, Quarantine } from '@aos/background';
import { DueRows } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { HumanRequestsRepository } from './human-requests.repository.js';
import { anyOverdue } from './human-requests.sql.js';
import { HumanRequestsService } from './human-requests.service.js';

const lookEveryMs = 1_000;
const batchSize = 100;

/** Settles requests whose due date has passed. Postgres knows the dates; nothing in Redis has to. */
@Injectable()
export class HumanRequestDeadlines {
  constructor(
    requests: HumanRequestsRepository,
    service: HumanRequestsService,
    loops: BackgroundLoops,
    dueRows: DueRows,
    logger: Logger,
  ) {
    const failing = new Quarantine(logger, 'the end of a human request');
    loops.add({
      name: 'the watch over due dates',
      idleMs: lookEveryMs,
      isTimed: true,
      mayHaveWork: () => dueRows.any(anyOverdue),
      work: async () => {
        const due = await requests.overdue(batchSize, failing.ids());
        await failing.each(due, (request) => service.expire(request));
        return due.length === batchSize;
      },
    });
  }
}
