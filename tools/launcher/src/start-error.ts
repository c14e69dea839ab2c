import { LocalInfraError } from '@aos/local-infra';

/** Why the program cannot start: lines that can be shown to a person as they are. */
export class StartError extends Error {
  override readonly name = 'StartError';

  constructor(readonly problems: readonly [string, ...string[]]) {
    super(problems.join('\n'));
  }
}

/** What is expected to go wrong on a person's machine is told in a line; anything else is a fault of ours. */
export function problemsOf(error: unknown): readonly string[] {
  if (error instanceof StartError) return error.problems;
  if (error instanceof LocalInfraError) return [error.message];
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
}
