import {
  AppError,
  refuseMoreThanHeld,
  type Operation,
  type OperationAnswer,
  type Principal,
} from '@aos/contracts';
import { isPassing } from '@aos/persistence';

/**
 * The refusal for a failure that passes by itself: Postgres is away, took too long, or another transaction was in the way.
 * Undefined for any other failure.
 */
export function passingRefusal(error: unknown): AppError | undefined {
  if (!isPassing(error)) return undefined;
  const options = { retryAfterSeconds: 1, cause: error };
  return new AppError('unavailable', 'The service is temporarily unavailable.', options);
}

/** A replay needs what the request needed: an answer that is a credential is for a caller that could have made it. */
export function permitReplay(
  operation: Operation,
  principal: Principal,
  stored: OperationAnswer,
): OperationAnswer {
  if (operation.handsOut && stored.status === operation.status) {
    refuseMoreThanHeld(principal, operation.handsOut(operation.response.parse(JSON.parse(stored.body))));
  }
  return stored;
}
