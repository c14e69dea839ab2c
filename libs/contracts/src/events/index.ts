import type { EventDefinition } from '../event.js';
import { agentDeleted, buildPublished, scheduleFired } from './agents.js';

/** Every fact that services tell each other. */
export const events: readonly EventDefinition[] = [buildPublished, agentDeleted, scheduleFired];
