import type { JobDefinition } from '../job.js';
import { executeBuilderRun, sweepSchedules } from './agents.js';

/** Declared and on their way, as the operations are. */
export const agentJobs: readonly JobDefinition[] = [sweepSchedules, executeBuilderRun];

/** Every kind of background work. */
export const jobs: readonly JobDefinition[] = [];
