import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findChromium, identityProgram, identityVariables } from '@aos/browser';
import pg from 'pg';
import { chromium, type Browser, type Page } from 'playwright-core';
import { startBenchStack } from './bench-stack.js';
import { mainThreadOf, type MainThread, type TraceEvent } from './main-thread.js';
import { profileFolder } from './profiles.js';
import type { Figure } from './report.js';
import { insertRuns } from './run-list.js';
import { createTeam } from './teams.js';

const few = 100;
const many = 100_000;
const rowHeight = 44;
/** Pixels for a gesture, and pixels a second: faster than anybody reads. */
const distance = 30_000;
const speed = 6_000;
const jumps = 20;
const maxTargetMs = 50;
const categories = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline.frame'];

interface Scrolled {
  readonly thread: MainThread;
  readonly frames: readonly number[];
  readonly maxRows: number;
}

/** The list of runs of the console in a real Chromium, by a trace: long against short. */
export async function measureConsole(): Promise<Figure[]> {
  const executable = await findChromium({ path: process.env['PATH'] ?? '' });
  if (!executable) return [{ name: 'the console', value: 'not measured: no Chromium on the PATH' }];
  const stack = await startBenchStack([
    'gateway',
    'agents-and-revisions',
    'runs',
    'webhook-dispatcher',
    'billing',
  ]);
  const browser = await chromium.launch({
    executablePath: identityProgram,
    env: { ...process.env, ...identityVariables('same-user', 0, executable) },
    chromiumSandbox: false,
    args: ['--disable-dev-shm-usage'],
  });
  try {
    const [small, large] = [
      await createTeam(stack.base, stack.adminKey),
      await createTeam(stack.base, stack.adminKey),
    ];
    await seed(stack.databaseUrl, [
      [small.team, few],
      [large.team, many],
    ]);
    const short = await scrolled(browser, await openList(browser, stack.base, small.key), `${few}-runs`);
    const page = await openList(browser, stack.base, large.key);
    const long = await scrolled(browser, page, `${many}-runs`);
    return [...figuresOf(short, long), await jumpFigure(page)];
  } finally {
    await browser.close();
    await stack.stop();
  }
}

async function seed(databaseUrl: string, teams: readonly (readonly [string, number])[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c search_path=runs' });
  await client.connect();
  try {
    for (const [team, count] of teams) await insertRuns(client, team, count);
    for (const table of ['run', 'run_title', 'run_tally']) await client.query(`VACUUM ANALYZE ${table}`);
  } finally {
    await client.end();
  }
}

async function openList(browser: Browser, base: string, key: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.goto(`${base}/console/runs`);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.run-rows .run-link').first().waitFor();
  return page;
}

/** Down and up again, as a wheel does it. */
async function scrolled(browser: Browser, page: Page, name: string): Promise<Scrolled> {
  const { x, y, width, height } = (await page.locator('.run-list').boundingBox())!;
  const protocol = await page.context().newCDPSession(page);
  await page.evaluate(watchFrames);
  await browser.startTracing(page, { categories });
  for (const way of [-distance, distance]) {
    await protocol.send('Input.synthesizeScrollGesture', {
      x: x + width / 2,
      y: y + height / 2,
      yDistance: way,
      speed,
      gestureSourceType: 'mouse',
    });
  }
  const trace = await browser.stopTracing();
  if (profileFolder) {
    await mkdir(profileFolder, { recursive: true });
    await writeFile(join(profileFolder, `console-${name}.trace.json`), trace);
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const watched = await page.evaluate<Pick<Scrolled, 'frames' | 'maxRows'>>('window.watched()');
  return { thread: mainThreadOf(traceEvents), ...watched };
}

function figuresOf(short: Scrolled, long: Scrolled): Figure[] {
  const name = (what: string) => `${what} while a list of ${many} runs is scrolled`;
  return [
    {
      name: name('longest task of the page'),
      value: `${ms(long.thread.maxCpuMs)} of CPU (${ms(long.thread.maxTotalMs)} in all), ${long.thread.long} of ${long.thread.tasks} over 50 ms of CPU`,
      baseline: `of ${few}: ${ms(short.thread.maxCpuMs)} of CPU`,
      ratio: long.thread.maxCpuMs / short.thread.maxCpuMs,
      target: `<= ${maxTargetMs} ms of CPU`,
      met: long.thread.maxCpuMs <= maxTargetMs,
    },
    {
      name: name('time between frames'),
      value: `p50 ${share(long.frames, 0.5)} ms, p99 ${share(long.frames, 0.99)} ms, longest ${share(long.frames, 1)} ms`,
      baseline: `of ${few}: p50 ${share(short.frames, 0.5)} ms`,
    },
    {
      name: name('most rows in the page'),
      value: String(long.maxRows),
      baseline: `of ${few}: ${short.maxRows}`,
    },
  ];
}

/** From a place in the list, far from what is known, until its rows are there. */
async function jumpFigure(page: Page): Promise<Figure> {
  const times: number[] = [];
  for (let jump = 1; jump <= jumps; jump += 1) {
    const row = Math.floor((many / (jumps + 1)) * jump);
    const started = performance.now();
    await page.evaluate(`document.querySelector('.run-list').scrollTop = ${row * rowHeight}`);
    await page.locator(`[aria-rowindex="${row + 4}"] .run-link`).waitFor();
    times.push(performance.now() - started);
  }
  return {
    name: `rows anywhere among ${many} runs are shown`,
    value: `p50 ${share(times, 0.5)} ms, longest ${share(times, 1)} ms`,
  };
}

function ms(time: number): string {
  return `${time.toFixed(0)} ms`;
}

function share(times: readonly number[], part: number): string {
  const sorted = times.toSorted((one, other) => one - other);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(0);
}

/** A program of the page. */
const watchFrames = `(() => {
  const frames = [];
  let maxRows = 0;
  let last;
  const frame = (now) => {
    if (last !== undefined) frames.push(now - last);
    last = now;
    maxRows = Math.max(maxRows, document.querySelector('.run-rows').childElementCount);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  window.watched = () => ({ frames, maxRows });
})()`;
