import { isInternalCall, ping, pullEvents, type InternalCall } from '../declarations/internal-call.js';
import * as declared from './all.js';

/** Every request between services: what each answers, and what the files of this folder export. */
export const internalCalls: readonly InternalCall[] = [
  ping,
  pullEvents,
  ...Object.values<unknown>(declared).filter(isInternalCall),
];
