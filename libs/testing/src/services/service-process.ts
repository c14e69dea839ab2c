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

/** One that may not be ready yet. */
export interface StartingProcess extends ServiceProcess {
  ready(): Promise<void>;
}

const startTimeoutMs = 60_000;

/** Starts a service as a process of its own, so that a test can kill it; resolves when it is ready. `flags` are Node's. */
export async function startServiceProcess(
  entry: string,
  environment: Record<string, string>,
  flags: readonly string[] = memoryFlags,
): Promise<ServiceProcess> {
  const service = forkService(entry, environment, { flags });
  await service.ready();
  return service;
}

/** The same without the wait, for a test of what happens before. */
export function forkService(
  entry: string,
  environment: Record<string, string>,
  {
    flags = memoryFlags,
    argv = [],
  }: { readonly flags?: readonly string[]; readonly argv?: readonly string[] } = {},
): StartingProcess {
  const child = fork(entry, [...argv], {
    env: { PATH: process.env['PATH'], ...environment },
    execArgv: [...flags],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const collect = (chunk: Buffer) => (output += chunk.toString());
  child.stdout!.on('data', collect);
  child.stderr!.on('data', collect);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const whenReady = ready(child);
  return {
    ready: () => inTime(child, [whenReady, exited], () => output),
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

function ready(child: ChildProcess): Promise<'ready'> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if ((message as { type?: string }).type === 'ready') resolve('ready');
    });
  });
}

async function inTime(
  child: ChildProcess,
  ends: readonly Promise<unknown>[],
  output: () => string,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), startTimeoutMs);
  });
  const outcome = await Promise.race([...ends, late]);
  clearTimeout(timer);
  if (outcome === 'ready') return;
  child.kill('SIGKILL');
  throw new Error(`The service did not get ready (${String(outcome)}):\n${output()}`);
}
