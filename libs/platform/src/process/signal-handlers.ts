import { serializeError } from '../logging/error-serializer.js';
import type { Shutdown } from './shutdown.js';

// Ctrl-C reaches every process of the terminal, and the supervisor passes it on as SIGTERM: one wish, told twice.
const sameWishMs = 2000;

/**
 * SIGTERM, SIGINT, the loss of the supervisor and fatal errors start the shutdown; the process exits when it ends.
 * Code 0 after a clean end, else 1; a second signal exits at once with 1.
 */
export function installSignalHandlers(shutdown: Shutdown): void {
  const { logger } = shutdown;
  let first: { signal: string; at: number } | undefined;
  let failed = false;

  const end = async (reason: string): Promise<void> => {
    const { clean } = await shutdown.run(reason);
    await logger.flush();
    process.exit(clean && !failed ? 0 : 1);
  };

  const onSignal = (signal: NodeJS.Signals): void => {
    if (first === undefined) {
      first = { signal, at: performance.now() };
      void end(signal);
    } else if (signal === first.signal || performance.now() - first.at > sameWishMs) {
      logger.warn({ signal }, 'second signal, exit without waiting');
      process.exit(1);
    }
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);

  const onFatal = (kind: string) => (err: unknown) => {
    failed = true;
    logger.fatal({ err: serializeError(err) }, kind);
    void end(kind);
  };
  process.on('uncaughtException', onFatal('uncaught exception'));
  process.on('unhandledRejection', onFatal('unhandled rejection'));

  // A supervisor that died takes its services with it; it may have died before this line.
  if (process.connected) process.on('disconnect', () => void end('disconnect'));
  else if (process.send) void end('disconnect');
}
