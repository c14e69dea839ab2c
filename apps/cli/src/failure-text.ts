import { ApiError } from '@aos/client';
import { safeText } from './safe-text.js';

/** Describes a failure and its remedy in one or two lines. */
export function failureText(error: unknown): string {
  const message = safeText(error instanceof Error ? error.message : String(error));
  if (!(error instanceof ApiError)) return `aos: ${message}`;
  const advice =
    error.status === 401 ? '\nRun `aos login` with a key that is valid, or set AOS_API_KEY.' : '';
  const request = error.requestId ? ` (request ${safeText(error.requestId)})` : '';
  return `aos: ${message}${request}${advice}`;
}
