import type { JobDefinition } from '../job.js';
import { executeBuilderRun, sweepSchedules } from './agents.js';
import { evaluateRun, takeRuns } from './runs.js';
import { drainLane } from './webhooks.js';

/** Every kind of background work. */
export const jobs: readonly JobDefinition[] = [
  sweepSchedules,
  executeBuilderRun,
  takeRuns,
  evaluateRun,
  drainLane,
];
