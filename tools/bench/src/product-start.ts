import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@aos/local-infra';
import { createAgent, procedureOf } from './agents.js';
import { measureInChild } from './children.js';
import { measureIdle } from './idle.js';
import type { Figure } from './report.js';
import type { RunLoad, RunLoadResult } from './run-load.types.js';
import { createTeam } from './teams.js';

interface Form {
  readonly name: string;
  readonly flags: readonly string[];
  readonly readySeconds: number;
  readonly memoryMiB: number;
  readonly idlePercent: number;
}

const forms: readonly Form[] = [
  { name: 'a process for each service', flags: [], readySeconds: 15, memoryMiB: 1.2 * 1024, idlePercent: 3 },
  { name: 'one process', flags: ['--', '--together'], readySeconds: 5, memoryMiB: 400, idlePercent: 2 },
];

const patienceMs = 120_000;
const load = { inFlight: 20, seconds: 10, warmUpSeconds: 0, mode: 'wait' } as const;

/**
 * `npm start` on a clone that is installed and built, in both forms: how long until ready, in an empty data folder and in
 * that of an earlier start; after a load how much memory it takes, at once and after a while in which nothing came, and
 * how much of the processor in that while.
 */
export async function measureStart(root: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const form of forms) figures.push(...(await measureForm(root, form)));
  return figures;
}

async function measureForm(root: string, form: Form): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'aos-bench-'));
  try {
    const first = await started(root, form, dataDir, async ({ base, launcher }) => {
      await runs(base, dataDir);
      const processes = await memoryOf(dataDir, launcher);
      const idle = await measureIdle(form.name, form.idlePercent);
      return { processes, idle, quietMiB: sumOf(await memoryOf(dataDir, launcher)) };
    });
    const second = await started(root, form, dataDir, () => Promise.resolve(undefined));
    const { processes, idle, quietMiB } = first.found;
    return [
      readyFigure(form, 'npm start to ready', first.seconds),
      readyFigure(form, 'npm start to ready, the second time', second.seconds),
      ...processes.map(({ name, mib }) => ({ name: `memory of ${name}`, value: `${mib.toFixed(0)} MiB` })),
      memoryFigure(form, 'memory after a load', sumOf(processes)),
      memoryFigure(form, 'memory when nothing came for a while', quietMiB),
      ...idle,
    ];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function readyFigure(form: Form, what: string, seconds: number): Figure {
  return {
    name: `${form.name}: ${what}`,
    value: `${seconds.toFixed(1)} s`,
    target: `<= ${form.readySeconds} s`,
    met: seconds <= form.readySeconds,
  };
}

function memoryFigure(form: Form, what: string, mib: number): Figure {
  return {
    name: `${form.name}: ${what}`,
    value: `${mib.toFixed(0)} MiB`,
    target: `<= ${form.memoryMiB.toFixed(0)} MiB`,
    met: mib <= form.memoryMiB,
  };
}

/** Starts the product, looks at it when it is ready, and stops it. */
async function started<Found>(
  root: string,
  { flags }: Form,
  dataDir: string,
  look: (product: { base: string; launcher: number }) => Promise<Found>,
): Promise<{ seconds: number; found: Found }> {
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = spawn('npm', ['start', '--silent', ...flags], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      AOS_DATA_DIR: dataDir,
      RATE_LIMIT_PER_MINUTE: '10000000',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
    // A group of its own, to be stopped as Ctrl-C in a terminal would stop it.
    detached: true,
  });
  const exited = once(child, 'exit');
  try {
    await untilReady(`${base}/readyz`);
    const seconds = (performance.now() - startedAt) / 1000;
    return { seconds, found: await look({ base, launcher: child.pid! }) };
  } finally {
    process.kill(-child.pid!, 'SIGINT');
    await exited;
  }
}

function sumOf(processes: readonly { mib: number }[]): number {
  return processes.reduce((sum, { mib }) => sum + mib, 0);
}

async function runs(base: string, dataDir: string): Promise<void> {
  const noted = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')) as {
    admin_key: string;
  };
  const access = { base, ...(await createTeam(base, noted.admin_key)) };
  const agentId = await createAgent(access, procedureOf(['finish Done.']));
  const wish: RunLoad = { ...access, agentId, ...load };
  await measureInChild<RunLoadResult>('run-load', wish);
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
  for (const [name, pids] of Object.entries(noted.services)) {
    for (const pid of pids) named.set(pid, named.has(pid) ? 'all services' : name);
  }
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
