import { createAgent, procedureOf } from './agents.js';
import { startBenchStack, type BenchStack } from './bench-stack.js';
import { measureInChild } from './children.js';
import { cpuMs, descendants, tellsCpu } from './cpu-time.js';
import type { Figure } from './report.js';
import { backlogMs } from './run-backlog.js';
import type { RunLoad, RunLoadResult } from './run-load.types.js';
import { createTeam } from './teams.js';

const inFlight = 20;
const rounds = 5;
const roundSeconds = 3;

/** What whole runs with a call of the tool may cost, against the same runs without it. */
const tools: readonly { name: string; call: string; target: number }[] = [
  { name: 'list_files', call: 'tool list_files {}', target: 0.7 },
  {
    name: 'write_file',
    call: 'tool write_file {"path": "note.txt", "content": "A short note."}',
    target: 0.5,
  },
  { name: 'run_code', call: 'tool run_code {"code": "1 + 1"}', target: 0.4 },
];

interface Measured {
  readonly name: string;
  readonly agentId: string;
  runs: number;
  seconds: number;
  cpu: number;
  readonly p50s: number[];
}

/** Runs of three texts, and of three texts and a tool, by turns: what disturbs the machine disturbs all of them. */
export async function measureTools(): Promise<Figure[]> {
  const stack = await startBenchStack(['gateway', 'agents-and-revisions', 'runs', 'webhook-dispatcher']);
  try {
    const access = await createTeam(stack.base, stack.adminKey);
    const measured = async (name: string, calls: readonly string[]): Promise<Measured> => {
      const steps = ['say Reading {{message}}', ...calls, 'say Thinking', 'finish Done.'];
      const agentId = await createAgent({ base: stack.base, ...access }, procedureOf(steps));
      return { name, agentId, runs: 0, seconds: 0, cpu: 0, p50s: [] };
    };
    const texts = await measured('texts', []);
    const withTools = await Promise.all(tools.map(({ name, call }) => measured(name, [call])));
    for (const one of [texts, ...withTools]) await load(stack, access, one.agentId, 1);
    for (let round = 0; round < rounds; round += 1) {
      for (const one of [texts, ...withTools]) await measure(stack, access, one);
    }
    const figures = withTools.map((one, index) => figureOf(one, texts, tools[index]!.target));
    return [{ name: `runs of three texts, ${inFlight} in flight`, value: valueOf(texts) }, ...figures];
  } finally {
    await stack.stop();
  }
}

async function measure(
  stack: BenchStack,
  access: { team: string; key: string },
  one: Measured,
): Promise<void> {
  const processes = tellsCpu() ? descendants() : [];
  const before = cpuMs(processes);
  const { runs, seconds, whole } = await load(stack, access, one.agentId, roundSeconds);
  await backlogMs(stack);
  one.cpu += cpuMs(processes) - before;
  one.runs += runs;
  one.seconds += seconds;
  one.p50s.push(whole.p50Ms);
}

function load(
  { base }: BenchStack,
  access: { team: string; key: string },
  agentId: string,
  seconds: number,
): Promise<RunLoadResult> {
  const wish: RunLoad = { base, ...access, agentId, inFlight, seconds, warmUpSeconds: 0, mode: 'wait' };
  return measureInChild<RunLoadResult>('run-load', wish);
}

function figureOf(one: Measured, texts: Measured, target: number): Figure {
  const ratio = one.runs / one.seconds / (texts.runs / texts.seconds);
  return {
    name: `with a call of ${one.name}`,
    value: valueOf(one),
    baseline: `texts alone: ${(texts.runs / texts.seconds).toFixed(0)}/s`,
    ratio,
    target: `>= ${target}`,
    met: ratio >= target,
  };
}

function valueOf({ runs, seconds, cpu, p50s }: Measured): string {
  const p50 = [...p50s].sort((a, b) => a - b)[Math.floor(p50s.length / 2)]!;
  return `${(runs / seconds).toFixed(0)}/s, p50 ${p50.toFixed(0)} ms, ${(cpu / runs).toFixed(1)} ms of CPU a run`;
}
