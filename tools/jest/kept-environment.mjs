import { TestEnvironment } from 'jest-environment-node';

/** Where Jest keeps what `jest.setTimeout` asked for in a file. */
const timeoutOfFile = Symbol.for('TEST_TIMEOUT_SYMBOL');

class KeptEnvironment extends TestEnvironment {
  /** Called after each file. */
  async teardown() {
    delete this.global[timeoutOfFile];
    this.fakeTimersModern.dispose();
  }
}

let kept;

/** The globals with which the modules were loaded that the runtime beside this keeps. */
export default class {
  constructor(...args) {
    return (kept ??= new KeptEnvironment(...args));
  }
}
