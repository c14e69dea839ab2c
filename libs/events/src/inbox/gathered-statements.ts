import type { EventStatement } from './consumes.js';

type Handle = (perform: (statement: EventStatement) => Promise<void>) => Promise<void>;

/**
 * Collects one statement from each handler, sends all of them together, and then lets the handlers go on. If a handler fails
 * before it has given its statement, none is sent.
 */
export async function makeTogether(
  handlers: readonly Handle[],
  make: (statements: readonly EventStatement[]) => Promise<void>,
): Promise<void> {
  const statements: EventStatement[] = [];
  const outcome = deferred();
  const begun = handlers.map((handle) => {
    const asked = deferred();
    const handled = handle((statement) => {
      statements.push(statement);
      asked.resolve();
      return outcome.promise;
    });
    return { handled, asked: Promise.race([asked.promise, handled]) };
  });
  const ended = Promise.all(begun.map(({ handled }) => handled));
  try {
    await Promise.all(begun.map(({ asked }) => asked));
    await make(statements);
    outcome.resolve();
  } catch (error) {
    outcome.reject(error);
    throw error;
  } finally {
    await ended.catch(() => undefined);
  }
  await ended;
}

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function deferred(): Deferred {
  let resolve!: () => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // A rejection that nobody awaits is reported by its cause.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
