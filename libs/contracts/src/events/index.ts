import type { EventDefinition } from '../event.js';
import { agentDeleted, buildPublished, scheduleFired } from './agents.js';
import {
  humanRequestCreated,
  humanRequestResponded,
  runCompleted,
  runFailed,
  runMessageCreated,
  runPaused,
  runStarted,
  runToolCallCompleted,
  scheduledRunEnded,
} from './runs.js';

/** Every fact that services tell each other. */
export const events: readonly EventDefinition[] = [
  buildPublished,
  agentDeleted,
  scheduleFired,
  runStarted,
  runPaused,
  runCompleted,
  runFailed,
  runMessageCreated,
  runToolCallCompleted,
  humanRequestCreated,
  humanRequestResponded,
  scheduledRunEnded,
];
