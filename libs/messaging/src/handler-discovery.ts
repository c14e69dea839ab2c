import { DiscoveryService, MetadataScanner } from '@nestjs/core';

type Method = (...args: never[]) => unknown;

/** Finds the methods of providers and controllers that a decorator has marked, each bound to its object. */
export function markedMethods<Mark>(
  discovery: DiscoveryService,
  scanner: MetadataScanner,
  markOf: (method: object) => Mark | undefined,
): { readonly mark: Mark; readonly method: Method }[] {
  const wrappers = [...discovery.getProviders(), ...discovery.getControllers()];
  // One object can be provided under several names.
  const instances = new Set(wrappers.map((wrapper) => wrapper.instance as unknown));
  return [...instances].flatMap((instance) => {
    if (typeof instance !== 'object' || instance === null) return [];
    const object = instance as Record<string, Method>;
    return scanner.getAllMethodNames(Object.getPrototypeOf(object) as object).flatMap((name) => {
      const mark = markOf(object[name]!);
      return mark === undefined ? [] : [{ mark, method: object[name]!.bind(object) as Method }];
    });
  });
}

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
