/** Resolves with the work's result, or with undefined once the signal aborts. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const giveUp = () => resolve(undefined);
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
