import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

/** The symbol under which Jest keeps the time limit that `jest.setTimeout` set in a file. */
const timeoutOfFile = Symbol.for('TEST_TIMEOUT_SYMBOL');

const storages = new Set();
const { _enable: enable } = AsyncLocalStorage.prototype;
// Before Node 24 each storage in use makes each promise of the process slower. This was a fifth of the CPU of unit tests.
if (enable) {
  AsyncLocalStorage.prototype._enable = function track() {
    storages.add(this);
    return enable.call(this);
  };
}

class KeptEnvironment extends TestEnvironment {
  /** Called after each file. */
  async teardown() {
    delete this.global[timeoutOfFile];
    this.fakeTimersModern.dispose();
    // Those that are used again enable themselves.
    for (const storage of storages) storage.disable();
    storages.clear();
  }
}

let kept;

/** The globals with which the modules were loaded that the runtime beside this file keeps. */
export default class {
  constructor(...args) {
    return (kept ??= new KeptEnvironment(...args));
  }
}
