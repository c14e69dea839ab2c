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
