const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

// A Ctrl-C reaches this process twice when npm started it: from the terminal, and passed on by npm.
const echoMs = 1_000;

export interface SignalSource {
  on(signal: (typeof stopSignals)[number], listener: () => void): unknown;
  off(signal: (typeof stopSignals)[number], listener: () => void): unknown;
}

/** The first signal asks to stop; a later one insists. Returns how to stop listening. */
export function onStopSignals(
  source: SignalSource,
  handlers: { stop: () => void; force: () => void },
  now: () => number = Date.now,
): () => void {
  let firstAt: number | undefined;
  const listener = () => {
    if (firstAt === undefined) {
      firstAt = now();
      handlers.stop();
    } else if (now() - firstAt >= echoMs) {
      handlers.force();
    }
  };
  for (const signal of stopSignals) source.on(signal, listener);
  return () => {
    for (const signal of stopSignals) source.off(signal, listener);
  };
}
