import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface CommandResult {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningCommand {
  /** What it has printed so far. */
  out(): string;
  err(): string;
  stop(signal?: 'SIGINT' | 'SIGTERM'): void;
  /** Nobody reads any longer what it prints. */
  stopReading(): void;
  readonly ended: Promise<CommandResult>;
}

export type Account = Readonly<{ baseUrl: string; key: string }>;

const entry = fileURLToPath(new URL('../../cli/bin/aos.mjs', import.meta.url));

/** Starts the command line as a user would: a process of its own, with nobody at a terminal. */
export function startCommand(
  account: Account | undefined,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): RunningCommand {
  const env = {
    PATH: process.env['PATH'],
    // Nothing of the machine's user is read.
    AOS_CONFIG: '/nowhere/account.json',
    ...(account ? { AOS_BASE_URL: account.baseUrl, AOS_API_KEY: account.key } : {}),
    ...environment,
  };
  const child = spawn(process.execPath, [entry, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const text = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (text.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text.err += chunk.toString()));
  return {
    out: () => text.out,
    err: () => text.err,
    stop: (signal = 'SIGINT') => child.kill(signal),
    stopReading: () => child.stdout.destroy(),
    ended: new Promise((resolve) => child.on('close', (exitCode) => resolve({ exitCode, ...text }))),
  };
}

export function runCommand(
  account: Account | undefined,
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  return startCommand(account, args, environment).ended;
}
