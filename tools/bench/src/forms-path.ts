import { serviceNames } from '@aos/contracts';
import { createAgent, procedureOf } from './agents.js';
import { startBenchStack, type BenchStack } from './bench-stack.js';
import { measureInChild } from './children.js';
import { cpuMs, descendants, tellsCpu } from './cpu-time.js';
import type { Figure } from './report.js';
import type { RunLoad, RunLoadResult } from './run-load.types.js';
import { createTeam } from './teams.js';

const seconds = 6;
const warmUpSeconds = 3;
const rounds = 2;
const together = 'together';

interface Form {
  readonly stack: BenchStack;
  readonly load: Pick<RunLoad, 'base' | 'team' | 'key' | 'agentId'>;
}

interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly cpuMs: number;
}

/** One-step runs with a process for each service, and with all of them in one: in turns, on stores of their own. */
export async function measureForms(): Promise<Figure[]> {
  const split = await startForm(serviceNames);
  const one = await startForm([together]);
  try {
    const figures: Figure[] = [];
    for (const inFlight of [50, 10, 1]) {
      const apart: Measured[] = [];
      const joined: Measured[] = [];
      for (const form of [split, one]) await run(form, inFlight, warmUpSeconds);
      for (let round = 0; round < rounds; round += 1) {
        apart.push(await measure(split, inFlight));
        joined.push(await measure(one, inFlight));
      }
      figures.push(figureOf(inFlight, bestOf(apart), bestOf(joined)));
    }
    return figures;
  } finally {
    await one.stack.stop();
    await split.stack.stop();
  }
}

async function startForm(processes: readonly string[]): Promise<Form> {
  const stack = await startBenchStack(processes);
  const { team, key } = await createTeam(stack.base, stack.adminKey);
  const access = { base: stack.base, team, key };
  const agentId = await createAgent(access, procedureOf(['finish Done with {{message}}.']));
  return { stack, load: { ...access, agentId } };
}

async function measure(form: Form, inFlight: number): Promise<Measured> {
  const before = cpuOfAll();
  const { perSecond, whole, runs } = await run(form, inFlight, seconds);
  // The form that rests meanwhile uses next to nothing.
  const used = cpuOfAll() - before;
  return { perSecond, p50Ms: whole.p50Ms, cpuMs: used / runs };
}

function run({ load }: Form, inFlight: number, forSeconds: number): Promise<RunLoadResult> {
  const wish: RunLoad = { ...load, inFlight, seconds: forSeconds, warmUpSeconds: 0, mode: 'wait' };
  return measureInChild<RunLoadResult>('run-load', wish);
}

function cpuOfAll(): number {
  return tellsCpu() ? cpuMs(descendants()) : Number.NaN;
}

/** What the machine's other work has slowed least. */
function bestOf(measured: readonly Measured[]): Measured {
  return measured.reduce((best, next) => (next.perSecond > best.perSecond ? next : best));
}

function figureOf(inFlight: number, apart: Measured, joined: Measured): Figure {
  return {
    name: `one-step runs in one process, ${inFlight} in flight`,
    value: told(joined),
    baseline: `a process for each service: ${told(apart)}`,
    ratio: joined.perSecond / apart.perSecond,
  };
}

function told({ perSecond, p50Ms, cpuMs: cpu }: Measured): string {
  return `${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, ${cpu.toFixed(1)} ms of CPU a run`;
}
