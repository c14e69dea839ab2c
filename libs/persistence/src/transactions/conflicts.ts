import { setTimeout as delay } from 'node:timers/promises';
import { isRetryableConflict } from '../pg-errors.js';

const maxTries = 3;
const maxPauseMs = 100;

/** Does the work again after a deadlock, which has undone it. */
export async function despiteConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= maxTries || !isRetryableConflict(error)) throw error;
      // Two that stood in each other's way would otherwise meet again.
      await delay(Math.random() * maxPauseMs);
    }
  }
}
