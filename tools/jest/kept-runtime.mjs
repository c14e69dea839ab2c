import Runtime from 'jest-runtime';

const { TEST_WATCH: isWatching } = process.env;

class KeptRuntime extends Runtime {
  /** Called after each file. The next file has its own tests and hooks, and no mocks. */
  teardown() {
    this.restoreAllMocks();
    this.registries.getInternalCjsRegistry().clear();
    if (isWatching) this.forgetOwnModules();
    // Otherwise the imports of the next file would count as too late.
    this.enterTestCode();
  }

  /** Sources may have changed before the next run; packages have not. */
  forgetOwnModules() {
    const modules = this.registries.getActiveEsmRegistry();
    for (const path of modules.keys()) if (!path.includes('/node_modules/')) modules.delete(path);
    this.fileCache.clear();
    this.transformCache.clear();
  }
}

let kept;

/**
 * One runtime for all files that a worker runs: each module is loaded once. Jest's own runtime loads all modules again for
 * each file, which takes three seconds of CPU for an integration spec.
 */
export default class {
  constructor(...args) {
    return (kept ??= new KeptRuntime(...args));
  }
}

/** Jest requires this file, and without this mark takes the module for the class itself. */
export const __esModule = true;
