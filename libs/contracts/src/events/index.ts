import type { EventDefinition } from '../event.js';

/** Every fact that services tell each other. */
export const events: readonly EventDefinition[] = [];
