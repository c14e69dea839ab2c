import type { JobDefinition } from '../job.js';

/** Every kind of background work. */
export const jobs: readonly JobDefinition[] = [];
