import type { Stores } from '../infrastructure/wanted-stores.js';

/** Jest loads set-up and tear-down as modules of their own; the process is what they share. */
export const storesHolder: { stores?: Stores } = ((
  globalThis as typeof globalThis & { aosTestStores?: { stores?: Stores } }
).aosTestStores ??= {});
