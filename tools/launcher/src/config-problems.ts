/** EX_CONFIG of sysexits.h: a process ends with it when its settings are wrong, and starting it again does not help. */
export const exitBadConfig = 78;

const heading = /^\S+ cannot start, its configuration is wrong:$/;

/**
 * Takes the lines in which a service tells what is wrong with its settings out of what it writes: a heading, then each
 * problem on a line that begins with two spaces. The same settings are read by several services.
 */
export class ConfigProblemLines {
  #inList = false;

  /** `heading`, or the problem that the line tells; undefined for any other line. */
  read(line: string): { problem: string | undefined } | undefined {
    if (heading.test(line)) {
      this.#inList = true;
      return { problem: undefined };
    }
    this.#inList &&= line.startsWith('  ');
    return this.#inList ? { problem: line.trim() } : undefined;
  }
}

/** One line for each problem, with the services that told it unless that were all of them. */
export function sumProblems(
  told: ReadonlyMap<string, readonly string[]>,
  services: readonly string[],
): string[] {
  const tellers = new Map<string, string[]>();
  for (const [service, problems] of told) {
    for (const problem of new Set(problems)) {
      tellers.set(problem, [...(tellers.get(problem) ?? []), service]);
    }
  }
  return [...tellers].map(([problem, names]) =>
    names.length === services.length ? problem : `${problem} (${names.join(', ')})`,
  );
}
