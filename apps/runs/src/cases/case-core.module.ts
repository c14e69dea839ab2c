import { Module } from '@nestjs/common';
import { RunStopsModule } from '../lifecycle/run-stops/run-stops.module.js';
import { CaseLabelLinks } from './labels/case-label-links.js';
import { CaseLabelsRepository } from './labels/case-labels.repository.js';
import { CaseMoves } from './case-moves.js';
import { CaseTallySweep } from './case-tally.js';
import { CasesRepository } from './cases.repository.js';
import { QueuesRepository } from './queues/queues.repository.js';
import { ReadyQueues } from './queues/ready-queues.js';

const core = [
  CasesRepository,
  QueuesRepository,
  CaseLabelsRepository,
  CaseLabelLinks,
  CaseMoves,
  ReadyQueues,
];

/** The case's row, what is searched of it, its history and the ledger, and everything that is written to them. */
@Module({ imports: [RunStopsModule], providers: [...core, CaseTallySweep], exports: core })
export class CaseCoreModule {}
