import { createAgent, procedureOf } from './agents.js';
import { startBenchStack } from './bench-stack.js';
import { measureInChild } from './children.js';
import type { Latency } from './latency.js';
import type { Figure } from './report.js';
import { backlogMs } from './run-backlog.js';
import { measureRunList } from './run-list.js';
import type { RunLoad, RunLoadResult } from './run-load.types.js';
import { createTeam } from './teams.js';

const seconds = 8;
const runsPerSecondTarget = 250;
const startTargetMs = 14;
const wholeTargetMs = 60;
const backlogTargetMs = 10_000;

const oneStep = ['finish Done with {{message}}.'];
const threeSteps = ['say Reading {{message}}', 'say Thinking', 'finish Done.'];

/** Runs from startRun to completed over HTTP, beside the bare commits that any durable run needs. */
export async function measureRuns(): Promise<Figure[]> {
  const stack = await startBenchStack(['gateway', 'agents-and-revisions', 'runs', 'webhook-dispatcher']);
  try {
    const { team, key } = await createTeam(stack.base, stack.adminKey);
    const load = async (agentId: string, inFlight: number, mode: RunLoad['mode']) => {
      const input: RunLoad = { base: stack.base, key, team, agentId, inFlight, seconds, mode };
      const result = await measureInChild<RunLoadResult>('run-load', input);
      return { ...result, backlogMs: await backlogMs(stack) };
    };
    const access = { base: stack.base, team, key };
    const one = await createAgent(access, procedureOf(oneStep));
    const three = await createAgent(access, procedureOf(threeSteps));
    // The many come first: they warm everything up.
    const many = await load(one, 50, 'wait');
    const longer = await load(three, 50, 'wait');
    const few = await load(one, 10, 'wait');
    const followed = await load(one, 10, 'follow');
    const alone = await load(one, 1, 'follow');
    const bare = await measureInChild<Latency>('bare-commits', {
      databaseUrl: stack.databaseUrl,
      inFlight: 50,
      seconds: 4,
    });
    const baseline = `bare commits on Postgres: ${bare.perSecond.toFixed(0)}/s`;
    const lists = await measureRunList(stack.base, stack.adminKey, stack.databaseUrl);
    return [
      throughput('one-step runs, 50 in flight', many, bare, baseline),
      throughput('three-step runs, 50 in flight', longer, bare, baseline),
      {
        name: 'startRun, 10 in flight, each followed to its end',
        value: `p50 ${followed.start.p50Ms.toFixed(1)} ms, p99 ${followed.start.p99Ms.toFixed(1)} ms`,
        target: `p50 <= ${startTargetMs} ms`,
        met: followed.start.p50Ms <= startTargetMs,
      },
      {
        name: 'startRun, 1 in flight',
        value: `p50 ${alone.start.p50Ms.toFixed(1)} ms, p99 ${alone.start.p99Ms.toFixed(1)} ms; to completed p50 ${alone.whole.p50Ms.toFixed(1)} ms`,
      },
      {
        name: 'startRun to completed, 10 in flight',
        value: `p50 ${few.whole.p50Ms.toFixed(1)} ms, p99 ${few.whole.p99Ms.toFixed(1)} ms, ${few.perSecond.toFixed(0)}/s`,
        target: `p50 <= ${wholeTargetMs} ms`,
        met: few.whole.p50Ms <= wholeTargetMs,
      },
      ...[many, longer, few, followed].map(({ backlogMs: lag }, index) => ({
        name: `everything settled after load ${index + 1}`,
        value: `${lag.toFixed(0)} ms`,
        target: `<= ${backlogTargetMs} ms`,
        met: lag <= backlogTargetMs,
      })),
      ...lists,
    ];
  } finally {
    await stack.stop();
  }
}

function throughput(name: string, result: RunLoadResult, bare: Latency, baseline: string): Figure {
  return {
    name,
    value: `${result.perSecond.toFixed(0)}/s, p50 ${result.whole.p50Ms.toFixed(0)} ms, p99 ${result.whole.p99Ms.toFixed(0)} ms`,
    baseline,
    ratio: result.perSecond / bare.perSecond,
    target: `>= ${runsPerSecondTarget}/s`,
    met: result.perSecond >= runsPerSecondTarget,
  };
}
