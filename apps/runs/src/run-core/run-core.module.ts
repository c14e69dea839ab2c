import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { CommittedChanges, ParentRuns, RunChanges } from './changes/run-changes.js';
import {
  type RunChangePart,
  RunChangeParts,
  type RunStartPart,
  RunStartParts,
} from './changes/statement-parts.js';
import { PendingReasons } from './claims/pending-reasons.js';
import { RunClaims } from './claims/run-claims.js';
import { RunDispatch } from './claims/run-dispatch.js';
import { RunLeasesRepository } from './claims/run-leases.repository.js';
import { RunEvents } from './records/run-events.js';
import { StoredRecords } from './records/stored-records.js';
import { ToolCallIntents } from './records/tool-call-intents.js';
import { RunsRepository } from './runs.repository.js';
import { BuildSnapshots } from './starts/build-snapshots.js';
import { BuildResolver } from './starts/build-resolver.js';
import { RunStarts } from './starts/run-starts.js';

export interface RunCoreOptions {
  /** The module that implements the ports `RunSlots` and `TeamLimits`. */
  readonly capacity: Type;
  /** Parts that other wings add to the statements that change and start runs. */
  readonly changeParts: readonly RunChangePart[];
  readonly startParts: readonly RunStartPart[];
}

const core = [
  RunsRepository,
  RunStarts,
  RunChanges,
  RunClaims,
  RunLeasesRepository,
  StoredRecords,
  ToolCallIntents,
  ParentRuns,
  CommittedChanges,
  PendingReasons,
  RunDispatch,
  RunEvents,
  BuildSnapshots,
  BuildResolver,
];

/** Global: the run's row with its steps, messages and events, and all writes to them. */
@Module({})
export class RunCoreModule {
  static forRoot({ capacity, changeParts, startParts }: RunCoreOptions): DynamicModule {
    return {
      module: RunCoreModule,
      global: true,
      imports: [capacity],
      providers: [
        { provide: RunChangeParts, useValue: changeParts },
        { provide: RunStartParts, useValue: startParts },
        ...core,
      ],
      exports: [...core, capacity],
    };
  }
}
