import { z } from 'zod';
import { isEvent, type EventDefinition } from '../declarations/event.js';
import { named } from '../schemas/named.js';
import * as declared from './all.js';

/** Every fact that services tell each other: what the files of this folder export. */
export const events: readonly EventDefinition[] = Object.values<unknown>(declared).filter(isEvent);

/** Events that reach subscribers, the pull feed and run streams. */
export const publicEvents = events.filter(({ visibility }) => visibility === 'public');

/** Events beyond the specification. */
export const eventsOnlyByName = publicEvents.filter(({ onlyByName }) => onlyByName).map(({ name }) => name);

export const publicEventNames = publicEvents.map(({ name }) => name) as [string, ...string[]];

export const eventNameSchema = named('EventName', z.enum(publicEventNames));
