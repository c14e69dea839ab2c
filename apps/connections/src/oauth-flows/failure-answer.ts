import { AppError } from '@aos/contracts';
import { OAuthFailure } from '../oauth-client/oauth-failure.js';

/** What a caller is told of an OAuth call that came to nothing. */
export function failureAnswer(error: unknown): never {
  if (!(error instanceof OAuthFailure)) throw error;
  throw new AppError(error.kind === 'away' ? 'unavailable' : 'invalid_request', error.message);
}
