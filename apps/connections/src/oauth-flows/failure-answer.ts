import { AppError } from '@aos/contracts';
import { OAuthFailure } from '../oauth-client/oauth-failure.js';

/** Converts a failed OAuth call into an answer. */
export function failureAnswer(error: unknown): never {
  if (!(error instanceof OAuthFailure)) throw error;
  throw new AppError(error.kind === 'away' ? 'unavailable' : 'invalid_request', error.message);
}
