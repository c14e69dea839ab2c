/** Fails unless each declared thing is handled by exactly one handler, and each handler is for a declared thing. */
export function assertExactlyOne(options: {
  what: string;
  declared: readonly string[];
  handled: readonly string[];
}): void {
  const { what, declared, handled } = options;
  const problems = [
    ...declared.filter((name) => !handled.includes(name)).map((name) => `${name} has no handler`),
    ...handled.filter((name) => !declared.includes(name)).map((name) => `${name} is not declared`),
    ...new Set(
      handled
        .filter((name, index) => handled.indexOf(name) !== index)
        .map((name) => `${name} has two handlers`),
    ),
  ];
  if (problems.length > 0) throw new Error(`Each ${what} needs exactly one handler: ${problems.join(', ')}`);
}
