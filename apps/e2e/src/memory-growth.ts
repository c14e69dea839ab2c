import { readFile } from 'node:fs/promises';
import type { Stack } from './stack.js';

const sampleMs = 20;

/** The most that each process of a stack grew, in bytes, while some work was under way; one that is killed, until then. */
export async function growthDuring(
  stack: Pick<Stack, 'processes'>,
  work: () => Promise<void>,
): Promise<Record<string, number>> {
  const processes = [...stack.processes];
  const sizes = async () => Promise.all(processes.map(({ pid }) => residentBytes(pid)));
  const before = await sizes();
  const most = before.map(() => 0);
  let done = false;
  const watching = (async () => {
    while (!done) {
      for (const [index, size] of (await sizes()).entries()) {
        most[index] = Math.max(most[index]!, size - before[index]!);
      }
      await new Promise((resolve) => setTimeout(resolve, sampleMs));
    }
  })();
  await work().finally(() => (done = true));
  await watching;
  return Object.fromEntries(processes.map(({ service }, index) => [service, most[index]!]));
}

/** Nothing, if it has ended. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
