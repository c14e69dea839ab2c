import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@aos/platform';
import { codeOf, mayMend, reasonOf } from './store-faults.js';

/** A store that a service needs before it can start. */
export interface NeededStore {
  readonly name: string;
  /** Its hosts and ports, without user and password. */
  readonly place: string;
  /** Rejects with what stands in the way. */
  reach(): Promise<void>;
  /** Whether the store answered with a refusal that stays, such as a wrong password. */
  isRefusal(error: unknown): boolean;
}

const pauseMs = 500;
const sayEveryMs = 30_000;

/**
 * Resolves when the store can be used. Stores and services start in any order after a power cut; ending and being
 * started again with growing pauses would take longer than the wait. What will not mend itself is thrown at once.
 */
export async function untilReached(store: NeededStore, logger: Logger): Promise<void> {
  const { name, place } = store;
  const began = performance.now();
  let saidAt = -Infinity;
  let fault = { code: '', since: began };
  for (;;) {
    try {
      await store.reach();
      if (saidAt > -Infinity) logger.info({ store: name, place }, 'store is reachable');
      return;
    } catch (error) {
      const now = performance.now();
      const reason = reasonOf(error);
      const code = codeOf(error);
      if (code !== fault.code) fault = { code, since: now };
      if (store.isRefusal(error) || !mayMend(error, now - fault.since)) {
        throw new Error(`${name} at ${place} cannot be used: ${reason}`, { cause: error });
      }
      if (now - saidAt >= sayEveryMs) {
        saidAt = now;
        const waitedSeconds = Math.round((now - began) / 1000);
        logger.warn({ store: name, place, reason, waited_seconds: waitedSeconds }, 'waiting for a store');
      }
    }
    await delay(pauseMs);
  }
}
