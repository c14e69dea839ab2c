import { ConfigError } from '../config/load-config.js';
import { serializeError } from '../logging/error-serializer.js';
import { createLogger } from '../logging/logger.js';
import type { Shutdown } from './shutdown.js';
import { giveMemoryBackWhenQuiet } from './quiet-memory.js';
import { installSignalHandlers } from './signal-handlers.js';

// EX_CONFIG of sysexits.h: tells a supervisor that starting again will not help.
const exitBadConfig = 78;

export interface ProcessOptions {
  name: string;
  /** Brings the service up; `close` becomes a step of the last phase of the shutdown. */
  start: () => Promise<{ shutdown: Shutdown; close?: () => unknown }>;
}

/**
 * The body of an app's `main.ts`: starts the service, tells the supervisor `{type: 'ready'}`, ends it on signals, at any
 * time.
 * Exits with 78 for a bad configuration (its lines on stderr), with 1 for any other failure (one fatal line).
 */
export async function startProcess({ name, start }: ProcessOptions): Promise<void> {
  let failing: Promise<never> | undefined;
  const fail = (error: unknown): Promise<never> => (failing ??= exitFailed(name, error));
  const endsEarly = endWhenTold();
  // Errors outside the chain of promises (a socket without listener) are failures of the start too.
  process.on('uncaughtException', fail);
  try {
    const { shutdown, close } = await start();
    if (close) shutdown.add('close', name, close);
    process.off('uncaughtException', fail);
    endsEarly.leave();
    installSignalHandlers(shutdown);
    giveMemoryBackWhenQuiet();
    // The supervisor may be gone by now: its handler above ends the process, the failed send does not matter.
    if (process.connected) process.send?.({ type: 'ready' }, undefined, undefined, () => undefined);
  } catch (error) {
    await fail(error);
  }
}

/** A process that does one thing and ends: with 0 when it is done, else as `startProcess` does. */
export async function runToEnd({
  name,
  work,
}: {
  name: string;
  work: () => Promise<unknown>;
}): Promise<void> {
  try {
    await work();
  } catch (error) {
    await exitFailed(name, error);
  }
  process.exit(0);
}

/**
 * A start may take as long as its stores do to come. Until it is done there is nothing to be ended in order, so that a
 * signal or the loss of the supervisor ends the process at once: also one that is the first of its container, whose
 * signals do nothing of themselves.
 */
function endWhenTold(): { leave(): void } {
  const end = () => process.exit(0);
  const causes = ['SIGTERM', 'SIGINT', 'disconnect'] as const;
  for (const cause of causes) process.on(cause, end);
  if (process.send && !process.connected) end();
  return {
    leave: () => {
      for (const cause of causes) process.off(cause, end);
    },
  };
}

async function exitFailed(name: string, error: unknown): Promise<never> {
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n`);
    process.exit(exitBadConfig);
  }
  const logger = createLogger({ service: name, level: 'fatal' });
  logger.fatal({ err: serializeError(error) }, 'starting the service failed');
  await logger.flush();
  process.exit(1);
}
