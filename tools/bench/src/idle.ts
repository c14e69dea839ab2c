import { setTimeout as delay } from 'node:timers/promises';
import { cpuMs, descendants, tellsCpu } from './cpu-time.js';
import type { Figure } from './report.js';

/** Until processes to which nothing comes have noticed it. */
const settleMs = 45_000;
const measuredMs = 60_000;

/** What all processes that were started here use of one core while nobody asks for anything. */
export async function measureIdle(of: string, targetPercent: number): Promise<Figure[]> {
  if (!tellsCpu()) return [];
  await delay(settleMs);
  const pids = descendants();
  const before = cpuMs(pids);
  await delay(measuredMs);
  const percent = ((cpuMs(pids) - before) / measuredMs) * 100;
  return [
    {
      name: `${of}: CPU when idle after that`,
      value: `${percent.toFixed(1)} % of a core`,
      target: `< ${targetPercent} %`,
      met: percent < targetPercent,
    },
  ];
}
