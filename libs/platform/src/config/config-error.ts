/** The environment of a process is unusable. Holds names and reasons only, so it may be printed as it is. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(
    readonly appName: string,
    readonly problems: readonly string[],
  ) {
    super(
      `${appName} cannot start, its configuration is wrong:\n${problems.map((line) => `  ${line}`).join('\n')}`,
    );
  }
}
