import Runtime from 'jest-runtime';

class KeptRuntime extends Runtime {
  /** Called after each file: the next has its own list of tests and hooks, and no mocks. */
  teardown() {
    this.restoreAllMocks();
    this.registries.getInternalCjsRegistry().clear();
    // Otherwise the imports of the next one would count as too late.
    this.enterTestCode();
  }
}

let kept;

/**
 * One runtime for all spec files that a worker runs, one after another: a module is loaded by the first that imports it.
 * Jest's own loads everything anew for each file, which is three seconds of CPU for an integration spec.
 */
export default class {
  constructor(...args) {
    return (kept ??= new KeptRuntime(...args));
  }
}

/** Jest requires this file, and takes what has no such mark for the class itself. */
export const __esModule = true;
