import { setTimeout as delay } from 'node:timers/promises';
import { startManagedProcess } from '@aos/local-infra';

const patienceMs = 90_000;
const lastWords = 3_000;
/** A stack of services takes a while to end in good order. */
const stopGraceMs = 30_000;
const orphanGraceSeconds = 10;

export interface ServerProcess {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Asked until it is; what it throws means no. */
  readonly isReady: (signal: AbortSignal) => Promise<boolean>;
}

export interface RunningServer {
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a server and waits until it is ready. It gets nothing of this environment but where programs and home are. */
export async function startServer(server: ServerProcess, signal: AbortSignal): Promise<RunningServer> {
  signal.throwIfAborted();
  let output = '';
  const { PATH = '', HOME = '' } = process.env;
  const child = startManagedProcess({
    command: server.command,
    args: server.args,
    cwd: server.cwd,
    env: { PATH, HOME, NODE_ENV: 'production', ...server.environment },
    onOutput: (chunk) => (output = (output + chunk).slice(-lastWords)),
    stopSignal: 'SIGTERM',
    stopGraceMs,
    orphanGraceSeconds,
  });
  try {
    await untilReady(server, child.isRunning, signal);
    return { pid: child.pid!, stop: () => child.stop() };
  } catch (error) {
    await child.stop();
    signal.throwIfAborted();
    throw new Error(`${(error as Error).message}\n${output}`, { cause: error });
  }
}

/** Whether a request is answered with 2xx. */
export async function answers(url: string, request: RequestInit): Promise<boolean> {
  const response = await fetch(url, request);
  await response.arrayBuffer();
  return response.ok;
}

async function untilReady(
  { isReady }: ServerProcess,
  isRunning: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  for (const end = performance.now() + patienceMs; performance.now() < end;) {
    if (await isReady(signal).catch(() => false)) return;
    if (!isRunning()) throw new Error('It ended before it was ready:');
    await delay(50, undefined, { signal });
  }
  throw new Error(`It was not ready within ${patienceMs / 1000} s:`);
}
