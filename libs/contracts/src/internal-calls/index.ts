import { ping, pullEvents, type InternalCall } from '../internal-call.js';
import { resolveBuilds } from './builds.js';
import { findRun } from './runs.js';

/** Every request between services. */
export const internalCalls: readonly InternalCall[] = [ping, pullEvents, resolveBuilds, findRun];
