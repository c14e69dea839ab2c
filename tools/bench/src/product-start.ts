import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@aos/local-infra';
import { measureIdle } from './idle.js';
import type { Figure } from './report.js';

const readyTargetSeconds = 15;
const memoryTargetMiB = 1.2 * 1024;
const patienceMs = 120_000;

/** `npm start` on a clone that is installed and built: how long until ready, and how much memory it takes. */
export async function measureStart(root: string): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'aos-bench-'));
  const port = await findFreePort();
  const startedAt = performance.now();
  const child = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), AOS_DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
    // A group of its own, to be stopped as Ctrl-C in a terminal would stop it.
    detached: true,
  });
  const exited = once(child, 'exit');
  try {
    await untilReady(`http://127.0.0.1:${port}/readyz`);
    const seconds = (performance.now() - startedAt) / 1000;
    const processes = await memoryOf(dataDir, child.pid!);
    const total = processes.reduce((sum, { mib }) => sum + mib, 0);
    const idle = await measureIdle();
    return [
      {
        name: 'npm start to ready',
        value: `${seconds.toFixed(1)} s`,
        target: `<= ${readyTargetSeconds} s`,
        met: seconds <= readyTargetSeconds,
      },
      ...processes.map(({ name, mib }) => ({ name: `memory of ${name}`, value: `${mib.toFixed(0)} MiB` })),
      {
        name: 'memory of all processes',
        value: `${total.toFixed(0)} MiB`,
        target: `<= ${memoryTargetMiB.toFixed(0)} MiB`,
        met: total <= memoryTargetMiB,
      },
      ...idle,
    ];
  } finally {
    process.kill(-child.pid!, 'SIGINT');
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function untilReady(url: string): Promise<void> {
  for (const end = performance.now() + patienceMs; performance.now() < end;) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The product did not get ready');
}

/** The proportional share of each process (shared pages counted once), summed over Postgres' children. */
async function memoryOf(dataDir: string, launcher: number): Promise<{ name: string; mib: number }[]> {
  const noted = JSON.parse(await readFile(join(dataDir, 'processes.json'), 'utf8')) as {
    services: Record<string, number[]>;
  };
  const named = new Map<number, string>([[launcher, 'npm']]);
  for (const [name, pids] of Object.entries(noted.services)) for (const pid of pids) named.set(pid, name);
  const sums = new Map<string, number>();
  for (const { pid, command } of await processesBelow(launcher)) {
    const name = named.get(pid) ?? nameOf(command);
    sums.set(name, (sums.get(name) ?? 0) + (await proportionalMiB(pid)));
  }
  return [...sums].map(([name, mib]) => ({ name, mib })).sort((a, b) => b.mib - a.mib);
}

function nameOf(command: string): string {
  if (command.includes('postgres')) return 'postgres';
  if (/redis|valkey/.test(command)) return 'redis';
  return command.includes('start.mjs') ? 'launcher' : 'helpers (sh, cat)';
}

async function processesBelow(root: number): Promise<{ pid: number; command: string }[]> {
  const child = spawn('ps', ['-eo', 'pid=,ppid=,args='], { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(child, 'close');
  const all = text
    .trim()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)!)
    .map(([, pid, parent, command]) => ({ pid: Number(pid), parent: Number(parent), command: command! }));
  const found = all.filter(({ pid }) => pid === root);
  for (let index = 0; index < found.length; index += 1) {
    found.push(...all.filter(({ parent }) => parent === found[index]!.pid));
  }
  return found;
}

async function proportionalMiB(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024;
}
