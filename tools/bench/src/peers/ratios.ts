import type { Figure } from '../report.js';
import { works, type Work } from './contender.types.js';

/** What one contender came to in one round. */
export interface Sample {
  readonly contender: string;
  readonly work: Work;
  readonly inFlight: number;
  readonly round: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  /** Of all its processes, for a run; not a number where the machine does not tell. */
  readonly cpuMs: number;
}

/** How soon startRun was answered while runs were followed to their end. */
export interface StartSample {
  readonly contender: string;
  readonly p50Ms: number;
}

interface Target {
  readonly form: string;
  readonly peer: string;
  readonly inFlight: number;
  readonly ratio: number;
}

/** For runs of one step. With one in flight the ratio is that of the times, which must not be above it. */
export const targets: readonly Target[] = [
  { form: 'together', peer: 'Restate', inFlight: 50, ratio: 1.3 },
  { form: 'together', peer: 'Restate', inFlight: 10, ratio: 1 },
  { form: 'together', peer: 'Restate', inFlight: 1, ratio: 1.2 },
  { form: 'together', peer: 'LangGraph', inFlight: 50, ratio: 3 },
  { form: 'together', peer: 'LangGraph', inFlight: 10, ratio: 3 },
  { form: 'split', peer: 'Restate', inFlight: 50, ratio: 1 },
  { form: 'split', peer: 'Restate', inFlight: 10, ratio: 0.7 },
];
const startTargets: Readonly<Record<string, number>> = { together: 14 };

export interface Compared {
  readonly forms: readonly string[];
  readonly peers: readonly string[];
  readonly levels: readonly number[];
}

/** A line for each kind of work, each number in flight, each form of the product, and each peer that was measured. */
export function ratioFigures(samples: readonly Sample[], { forms, peers, levels }: Compared): Figure[] {
  const figures: Figure[] = [];
  for (const work of works) {
    for (const inFlight of levels) {
      const here = samples.filter((sample) => sample.work === work && sample.inFlight === inFlight);
      for (const form of forms) {
        for (const peer of peers) {
          const ours = here.filter(({ contender }) => contender === form);
          const theirs = here.filter(({ contender }) => contender === peer);
          if (ours.length > 0 && theirs.length > 0) figures.push(figureOf(ours, theirs));
        }
      }
    }
  }
  return figures;
}

export function startFigures(starts: readonly StartSample[], forms: readonly string[]): Figure[] {
  return forms.flatMap((form) => {
    const times = starts.filter(({ contender }) => contender === form).map(({ p50Ms }) => p50Ms);
    if (times.length === 0) return [];
    const target = startTargets[form];
    const p50Ms = median(times);
    return {
      name: `startRun, 10 in flight, each followed to its end, ${form}`,
      value: `p50 ${p50Ms.toFixed(1)} ms`,
      ...(target === undefined ? {} : { target: `<= ${target} ms`, met: p50Ms <= target }),
    };
  });
}

function figureOf(ours: readonly Sample[], theirs: readonly Sample[]): Figure {
  const { work, inFlight, contender: form } = ours[0]!;
  const peer = theirs[0]!.contender;
  const isTime = inFlight === 1;
  // Of each round by itself: what slows the machine down for a while slows both.
  const ratios = ours.flatMap((sample) => {
    const beside = theirs.find(({ round }) => round === sample.round);
    if (!beside) return [];
    return isTime ? sample.p50Ms / beside.p50Ms : sample.perSecond / beside.perSecond;
  });
  const ratio = median(ratios);
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((one) => one.toFixed(2));
  const target = targets.find(
    (one) => work === 'one step' && one.form === form && one.peer === peer && one.inFlight === inFlight,
  );
  return {
    name: `${work}, ${inFlight} in flight, ${form}${isTime ? ', p50' : ''}`,
    value: told(ours),
    baseline: `${peer}: ${told(theirs)}; rounds ${least} to ${most}`,
    ratio,
    ...(target && {
      target: `${isTime ? '<=' : '>='} ${target.ratio}`,
      met: isTime ? ratio <= target.ratio : ratio >= target.ratio,
    }),
  };
}

function told(samples: readonly Sample[]): string {
  const of = (value: (sample: Sample) => number) => median(samples.map(value));
  const cpu = of(({ cpuMs }) => cpuMs);
  const figures = `${of(({ perSecond }) => perSecond).toFixed(0)}/s, p50 ${of(({ p50Ms }) => p50Ms).toFixed(1)} ms`;
  return Number.isNaN(cpu) ? figures : `${figures}, CPU ${cpu.toFixed(1)} ms`;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
