import { Module } from '@nestjs/common';
import { RunListHandlers } from './run-list.handlers.js';
import { RunListRepository } from './run-list.repository.js';
import { RunListService } from './run-list.service.js';
import { RunTallyRepository } from './run-tally.repository.js';
import { RunTallySweep } from './run-tally-sweep.js';

/** The list of runs, and the ledger that tells how many there are. */
@Module({
  controllers: [RunListHandlers],
  providers: [RunListService, RunListRepository, RunTallyRepository, RunTallySweep],
  exports: [RunListService],
})
export class RunListModule {}
