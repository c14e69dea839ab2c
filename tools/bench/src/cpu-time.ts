import { readdirSync, readFileSync } from 'node:fs';

/** What `sysconf(_SC_CLK_TCK)` is on every Linux. */
const msPerTick = 10;

/** Whether this machine tells what its processes have used. */
export function tellsCpu(): boolean {
  return statOf(process.pid) !== undefined;
}

/** The processor time that processes have used so far; those that are gone count nothing. */
export function cpuMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (statOf(pid)?.cpuMs ?? 0), 0);
}

/** Every process that one has started, and those that they have: services, Postgres with its backends, Redis. */
export function descendants(ancestor = process.pid): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(all.map((name) => [Number(name), statOf(Number(name))?.parent]));
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === ancestor || isOurs(parents.get(pid)));
  return [...parents.keys()].filter((pid) => pid !== ancestor && isOurs(pid));
}

function statOf(pid: number): { parent: number; cpuMs: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before may hold blanks and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), cpuMs: (Number(fields[11]) + Number(fields[12])) * msPerTick };
  } catch {
    return undefined;
  }
}
