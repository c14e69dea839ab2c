import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import type { ChangedRun } from './run-change.js';

interface CommittedChangesEvents {
  /** Runs were changed, and it is committed. */
  changed: [readonly ChangedRun[]];
}

/** What has become of runs in this process, for features that go on from there. It may be lost with the process. */
@Injectable()
export class CommittedChanges extends EventEmitter<CommittedChangesEvents> {}
