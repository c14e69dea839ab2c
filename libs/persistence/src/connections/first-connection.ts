import { setTimeout as delay } from 'node:timers/promises';
import { isStoreUnavailable } from '../pg-errors.js';

const maxTries = 5;
const pauseMs = 200;

/**
 * Connects, and again if the store is gone in that moment. A service has asked before whether Postgres is there, but a start
 * loads so much that a connection may get its answer too late, and a server may give its place to another.
 */
export async function firstConnection<T>(connect: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connect();
    } catch (error) {
      if (attempt >= maxTries || !isStoreUnavailable(error)) throw error;
      await delay(pauseMs);
    }
  }
}
