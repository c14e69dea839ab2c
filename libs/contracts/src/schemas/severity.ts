import { z } from 'zod';
import { named } from './named.js';

/** How much an issue of a run matters. */
export const severities = ['critical', 'medium', 'low'] as const;

export const severitySchema = named('Severity', z.enum(severities));
