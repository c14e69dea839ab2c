import { isJob, type JobDefinition } from '../declarations/job.js';
import * as declared from './all.js';

/** Every kind of background work: what the files of this folder export. */
export const jobs: readonly JobDefinition[] = Object.values<unknown>(declared).filter(isJob);
