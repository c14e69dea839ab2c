import { ApiError } from '@aos/client';
import { Interruption } from './interruption.js';

/** Exit codes for scripts. */
export const exitCodes = { success: 0, failure: 1, notAllowed: 2, notFound: 3 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A failure that is the user's to mend; its message is all there is to say. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    readonly exitCode: ExitCode = exitCodes.failure,
  ) {
    super(message);
  }
}

export function exitCodeOf(error: unknown): ExitCode | Interruption['exitCode'] {
  if (error instanceof CommandError || error instanceof Interruption) return error.exitCode;
  if (!(error instanceof ApiError)) return exitCodes.failure;
  if (error.status === 401 || error.status === 403) return exitCodes.notAllowed;
  return error.status === 404 ? exitCodes.notFound : exitCodes.failure;
}
