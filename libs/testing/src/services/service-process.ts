import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { memoryFlags } from '@aos/local-infra';

export interface ServiceProcess {
  readonly pid: number;
  /** Everything it has written so far. */
  output(): string;
  signal(signal: NodeJS.Signals): void;
  /** Resolves with the exit code, or null after a signal. */
  readonly exited: Promise<number | null>;
  /** Ends it as an operator would. */
  stop(): Promise<void>;
}

const startTimeoutMs = 60_000;

/** Starts a service as a process of its own, so that a test can kill it; resolves when it is ready. `flags` are Node's. */
export async function startServiceProcess(
  entry: string,
  environment: Record<string, string>,
  flags: readonly string[] = memoryFlags,
): Promise<ServiceProcess> {
  const child = fork(entry, {
    env: { PATH: process.env['PATH'], ...environment },
    execArgv: [...flags],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const collect = (chunk: Buffer) => (output += chunk.toString());
  child.stdout!.on('data', collect);
  child.stderr!.on('data', collect);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  await ready(child, exited, () => output);
  return {
    pid: child.pid!,
    output: () => output,
    signal: (signal) => child.kill(signal),
    exited,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function ready(child: ChildProcess, exited: Promise<unknown>, output: () => string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const isReady = new Promise<'ready'>((resolve) => {
    child.on('message', (message) => {
      if ((message as { type?: string }).type === 'ready') resolve('ready');
    });
  });
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), startTimeoutMs);
  });
  const outcome = await Promise.race([isReady, exited, late]);
  clearTimeout(timer);
  if (outcome === 'ready') return;
  child.kill('SIGKILL');
  throw new Error(`The service did not get ready (${String(outcome)}):\n${output()}`);
}
