import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Stops a process and all that it has started, and gives what has them go on. To the others it looks as if the machine
 * stood still: connections stay open, and nothing is answered. Each session of Postgres is a process of its own.
 */
export function pauseProcess(pid: number): () => void {
  // The parent first, so that it starts no more.
  const stopped: number[] = [];
  const stop = (one: number) => {
    if (!signal(one, 'SIGSTOP')) return;
    stopped.push(one);
    for (const child of childrenOf(one)) stop(child);
  };
  stop(pid);
  return () => {
    for (const one of stopped.splice(0).reverse()) signal(one, 'SIGCONT');
  };
}

/** The same for so long. */
export async function pauseProcessFor(pid: number, ms: number): Promise<void> {
  const goOn = pauseProcess(pid);
  await delay(ms);
  goOn();
}

function childrenOf(pid: number): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child!);
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
