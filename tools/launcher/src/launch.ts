import { type LauncherConfig, readConfig } from './config.js';
import { claimDataDir } from './data-dir.js';
import { assertGatewayPortsFree } from './gateway-ports.js';
import { ServiceOutput } from './service-output.js';
import { builtEntries, type EntryOf } from './services.js';
import { Session } from './session.js';
import { problemsOf } from './start-error.js';
import { onStopSignals, type SignalSource } from './stop-signals.js';
import { embeddedStores, type StoreStarters } from './stores.js';

export interface LaunchOptions {
  /** The folder of the repository. */
  root: string;
  env?: NodeJS.ProcessEnv;
  write?: (text: string) => void;
  // Tests put their own here.
  signals?: SignalSource;
  entryOf?: EntryOf;
  starters?: StoreStarters;
}

/** Runs the whole program until it is told to stop, and returns the exit code. */
export async function launch(options: LaunchOptions): Promise<number> {
  const write = options.write ?? ((text: string) => void process.stdout.write(text));
  const say = (line: string) => write(`${line}\n`);
  // The terminal may be closed while we still have to stop the others.
  process.stdout.on('error', () => undefined);
  try {
    const config = readConfig(options.env ?? process.env, options.root);
    const lock = claimDataDir(config.dataDir);
    try {
      await assertGatewayPortsFree(config);
      return await runSession(config, options, say, write);
    } finally {
      lock.release();
    }
  } catch (error) {
    for (const line of problemsOf(error)) say(`Cannot start: ${line}`);
    return 1;
  }
}

async function runSession(
  config: LauncherConfig,
  options: LaunchOptions,
  say: (line: string) => void,
  write: (text: string) => void,
): Promise<number> {
  const { dataDir, logToStdout } = config;
  const output = new ServiceOutput({ dataDir, logToStdout, say, passThrough: write });
  const session = new Session({
    ...{ config, output, say },
    env: options.env ?? process.env,
    entryOf: options.entryOf ?? builtEntries(options.root),
    starters: options.starters ?? embeddedStores,
  });
  const stopping = new AbortController();
  const told = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
  const unsubscribe = onStopSignals(options.signals ?? process, {
    stop: () => {
      say('Stopping');
      stopping.abort();
    },
    force: () => {
      say('Stopping at once');
      session.killServices();
    },
  });
  try {
    await Promise.race([session.start(stopping.signal), told, session.refused]);
    await Promise.race([told, session.refused]);
    return 0;
  } finally {
    // Whatever still waits for readiness has nothing to wait for.
    stopping.abort();
    await session.stop();
    output.close();
    unsubscribe();
    say('Stopped');
  }
}
