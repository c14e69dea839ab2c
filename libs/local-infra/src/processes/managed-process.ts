import { type ChildProcess, type Serializable, spawn } from 'node:child_process';
import { guardProcess } from './guard.js';

const lastWordsMs = 200;

export interface ExitInfo {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Whether it ended because it was asked to. */
  expected: boolean;
  /** Set when it could not be started at all. */
  error?: Error;
}

export interface ManagedProcessOptions {
  command: string;
  args: readonly string[];
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
  /** Opens a message channel; the child is a Node process. */
  ipc?: boolean;
  onOutput?: (chunk: string, stream: 'stdout' | 'stderr') => void;
  onMessage?: (message: unknown) => void;
  stopSignal: NodeJS.Signals;
  /** How long `stop` waits before SIGKILL. */
  stopGraceMs: number;
  /** How long the process may take to end by itself when this process is gone. */
  orphanGraceSeconds: number;
}

export interface ManagedProcess {
  /** Undefined when the program could not be started; `exited` then says why. */
  readonly pid: number | undefined;
  readonly exited: Promise<ExitInfo>;
  isRunning(): boolean;
  send(message: Serializable): void;
  /** Asks it to end, and insists after the grace. Resolves when it is gone. */
  stop(): Promise<void>;
  kill(): void;
}

/**
 * Starts a program in a session of its own, so that a Ctrl-C in the terminal reaches only this process, and sees to
 * it that the program never outlives this process.
 */
export function startManagedProcess(options: ManagedProcessOptions): ManagedProcess {
  let stopping = false;
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env,
    uid: options.uid,
    gid: options.gid,
    detached: true,
    stdio: options.ipc ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
  });
  const guard =
    child.pid === undefined
      ? undefined
      : guardProcess(child.pid, { signal: options.stopSignal, graceSeconds: options.orphanGraceSeconds });
  child.once('exit', () => guard?.release());
  const exited = exitOf(child, () => stopping);
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  if (options.onOutput) forwardOutput(child, options.onOutput);
  if (options.onMessage) child.on('message', options.onMessage);

  return {
    pid: child.pid,
    exited,
    isRunning,
    send: (message) => {
      // The child may be ending; the signal has no receiver then.
      if (child.connected) child.send(message, () => undefined);
    },
    stop: async () => {
      stopping = true;
      if (isRunning()) child.kill(options.stopSignal);
      const insist = setTimeout(() => child.kill('SIGKILL'), options.stopGraceMs);
      await exited;
      clearTimeout(insist);
    },
    kill: () => {
      stopping = true;
      child.kill('SIGKILL');
    },
  };
}

function exitOf(child: ChildProcess, wasAsked: () => boolean): Promise<ExitInfo> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      const info = { code, signal, expected: wasAsked() };
      // Its last words may still be in the pipe. Children of its own can hold the pipe open for longer.
      setTimeout(() => resolve(info), lastWordsMs);
      child.once('close', () => resolve(info));
    });
    child.on('error', (error) => {
      // Also raised when a signal or message cannot be delivered to a running child.
      if (child.pid === undefined) resolve({ code: null, signal: null, expected: false, error });
    });
  });
}

function forwardOutput(child: ChildProcess, onOutput: NonNullable<ManagedProcessOptions['onOutput']>): void {
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (chunk: string) => onOutput(chunk, stream));
  }
}
