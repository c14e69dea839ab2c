import { AppError } from '@aos/contracts';
import { isPassing } from '@aos/persistence';

/**
 * What a caller is told of a failure that is nobody's fault and passes: Postgres is away, took too long, or others stood
 * in the way. Nothing of any other failure.
 */
export function passingRefusal(error: unknown): AppError | undefined {
  if (!isPassing(error)) return undefined;
  const options = { retryAfterSeconds: 1, cause: error };
  return new AppError('unavailable', 'The service is away for a moment.', options);
}
