import type { RoleName } from '../services.js';

/** Keys that one role keeps in Redis for itself, beside requests, events and jobs. */
export interface StoredKeys {
  readonly name: string;
  readonly owner: RoleName;
}

/** Credentials that were good within a day. */
export const verifiedCredentials: StoredKeys = { name: 'verified', owner: 'gateway' };

export const rateLimits: StoredKeys = { name: 'rate-limit', owner: 'gateway' };

/** Codes that sign a browser in to the console. */
export const consoleSignIns: StoredKeys = { name: 'console-sign-in', owner: 'gateway' };

export const storedKeys: readonly StoredKeys[] = [verifiedCredentials, rateLimits, consoleSignIns];
