import { BackgroundLoops } from '@aos/background';
import { Inject, Injectable } from '@nestjs/common';
import { RunsSettings, type RunsConfig } from '../../runs.config.js';
import { RunDeletion } from './run-deletion.js';

const lookEveryMs = 60_000;
/** Between batches: what users wait for goes first. */
const pauseMs = 200;

/** Deletes runs that ended longer ago than the operator wants to keep them. */
@Injectable()
export class RunRetention {
  constructor(
    deletion: RunDeletion,
    loops: BackgroundLoops,
    @Inject(RunsSettings) { RUN_RETENTION_DAYS: days }: RunsConfig,
  ) {
    if (days === 0) return;
    loops.add({
      name: 'the retention of runs',
      idleMs: lookEveryMs,
      gatherMs: pauseMs,
      work: () => deletion.deleteOld(days),
    });
  }
}
