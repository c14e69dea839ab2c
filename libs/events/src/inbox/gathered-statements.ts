import type { EventStatement } from './consumes.js';

type Handle = (perform: (statement: EventStatement) => Promise<void>) => Promise<void>;

/**
 * Lets handlers say which statements they want, makes all of them together, and lets each handler go on when that is done.
 * If one fails before it has said so, nothing is made.
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
  // Whoever waits for it hears of it; if nobody does, it is told by the one who failed.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
