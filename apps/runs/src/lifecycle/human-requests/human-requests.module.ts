import { Module } from '@nestjs/common';
import { HumanRequestSettling } from './human-request-settling.js';
import { HumanRequestDeadlines } from './human-requests.deadlines.js';
import { HumanRequestsHandlers } from './human-requests.handlers.js';
import { HumanRequestsRepository } from './human-requests.repository.js';
import { HumanRequestsService } from './human-requests.service.js';

/** What runs ask people. */
@Module({
  controllers: [HumanRequestsHandlers],
  providers: [HumanRequestsService, HumanRequestsRepository, HumanRequestSettling, HumanRequestDeadlines],
  exports: [HumanRequestSettling, HumanRequestsRepository],
})
export class HumanRequestsModule {}
