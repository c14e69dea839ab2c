import type { JobDefinition } from '../job.js';
import { executeBuilderRun, sweepSchedules } from './agents.js';

/** Every kind of background work. */
export const jobs: readonly JobDefinition[] = [sweepSchedules, executeBuilderRun];
