import { z } from 'zod';
import type { EventDefinition } from '../event.js';
import { agentDeleted, buildPublished, scheduleFired } from './agents.js';
import { connectionActionRequired, connectionUpdated } from './connections.js';
import { caseClaimed, caseCompleted, caseCreated } from './queues.js';
import {
  humanRequestCreated,
  humanRequestResponded,
  runCompleted,
  runFailed,
  runFileCreated,
  runMessageCreated,
  runPaused,
  runStarted,
  runToolCallCompleted,
  scheduledRunEnded,
} from './runs.js';
import { named } from '../schemas/named.js';

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
  runFileCreated,
  humanRequestCreated,
  humanRequestResponded,
  caseCreated,
  caseClaimed,
  caseCompleted,
  connectionUpdated,
  connectionActionRequired,
  scheduledRunEnded,
];

/** Those that reach subscribers, the pull feed and run streams. */
export const publicEvents = events.filter(({ visibility }) => visibility === 'public');

export const publicEventNames = publicEvents.map(({ name }) => name) as [string, ...string[]];

export const eventNameSchema = named('EventName', z.enum(publicEventNames));
