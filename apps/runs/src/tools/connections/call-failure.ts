import { type EndedOutcome, TransientToolError } from '@aos/agent-runtime';
import type { RunError } from '@aos/contracts';
import type { McpFailure } from '@aos/mcp-client';

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

/** Answers of something in front of a server, which may pass. */
const passingStatuses: readonly (number | undefined)[] = [502, 503, 504];
const tooMany = 429;

/** Whether the same question may be answered if it is asked again. */
export function mayPass({ kind, status }: McpFailure): boolean {
  return (
    hadNoEffect(kind, status) || kind === 'broken' || kind === 'timeout' || passingStatuses.includes(status)
  );
}

/**
 * Throws `TransientToolError` for calls that may be repeated: those that never reached the server, and repeatable ones.
 */
export function outcomeOfFailure(failure: McpFailure, isRepeatable: boolean): EndedOutcome {
  const { kind, status, message } = failure;
  // To wait for an answer that does not come, five times over, is of no use.
  const unheard = hadNoEffect(kind, status);
  const again = unheard || (isRepeatable && kind !== 'timeout' && mayPass(failure));
  if (again) throw new TransientToolError(message, { hadNoEffect: unheard });
  const isOpen = kind === 'broken' || kind === 'timeout' || passingStatuses.includes(status);
  const doubt = isOpen && !isRepeatable ? ' Whether the call took effect is not known.' : '';
  return { kind: 'error', message: message + doubt };
}

function hadNoEffect(kind: McpFailure['kind'], status: number | undefined): boolean {
  return kind === 'unsent' || status === tooMany;
}
