/** Why the program cannot start: lines that can be shown to a person as they are. */
export class StartError extends Error {
  override readonly name = 'StartError';

  constructor(readonly problems: readonly [string, ...string[]]) {
    super(problems.join('\n'));
  }
}
