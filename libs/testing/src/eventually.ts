export interface EventuallyOptions {
  readonly timeoutMs?: number;
  readonly everyMs?: number;
}

/** Polls until the check stops throwing, and returns what it returned; its last error after the deadline. */
export async function eventually<T>(
  check: () => Promise<T> | T,
  options: EventuallyOptions = {},
): Promise<T> {
  const { timeoutMs = 15_000, everyMs = 50 } = options;
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
