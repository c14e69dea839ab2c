import type { RunError } from '@aos/contracts';

/** Why a connection cannot be used. `passing`: later it may work; else a person has to do something. */
export class ConnectionProblem extends Error {
  override readonly name = 'ConnectionProblem';

  constructor(
    readonly passing: boolean,
    message: string,
  ) {
    super(message);
  }
}

/** The error of a run that cannot go on without a connection; it says which, and nothing that a server wrote. */
export function unavailable(message: string): RunError {
  return { code: 'connection_unavailable', message };
}
