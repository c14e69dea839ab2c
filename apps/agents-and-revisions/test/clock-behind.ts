const jest = import.meta.jest;

/** All that a fake clock would take the place of but `Date`: what waits goes on as it does. */
const allButDate = [
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
] as const;

/** Does the work while the clock of this process stands still, so far behind the clocks of others. */
export async function behindBy(ms: number, work: () => Promise<void>): Promise<void> {
  jest.useFakeTimers({ now: Date.now() - ms, doNotFake: [...allButDate] });
  try {
    await work();
  } finally {
    jest.useRealTimers();
  }
}

/** The same, so far ahead of them. */
export function aheadBy(ms: number, work: () => Promise<void>): Promise<void> {
  return behindBy(-ms, work);
}
