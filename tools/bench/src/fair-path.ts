import { startModelServer } from '@aos/testing';
import { createAgent, procedureOf } from './agents.js';
import { startBenchStack, type BenchStack } from './bench-stack.js';
import { measureInChild } from './children.js';
import type { Figure } from './report.js';
import type { RunLoad, RunLoadResult } from './run-load.types.js';
import { createTeam } from './teams.js';

const floodSize = 300;
const inFlight = 5;
const seconds = 6;
const targetRatio = 2;

/** What a calm team notices of another whose runs all hang and fill every place that they get. */
export async function measureFairness(): Promise<Figure[]> {
  const models = await startModelServer();
  models.script({ kind: 'hang' });
  const stack = await startBenchStack(['gateway', 'agents-and-revisions', 'runs', 'webhook-dispatcher'], {
    COMPATIBLE_BASE_URL: models.openAiUrl,
    MODEL_TIMEOUT_MS: '600000',
  });
  try {
    const calm = await createTeam(stack.base, stack.adminKey);
    const agentId = await createAgent({ base: stack.base, ...calm }, procedureOf(['say One', 'finish Two']));
    const load: RunLoad = { base: stack.base, ...calm, agentId, inFlight, seconds, mode: 'wait' };
    const alone = await measureInChild<RunLoadResult>('run-load', load);
    await flood(stack);
    const beside = await measureInChild<RunLoadResult>('run-load', load);
    const ratio = beside.whole.p50Ms / alone.whole.p50Ms;
    return [
      {
        name: `runs of a calm team beside ${floodSize} hanging ones of another`,
        value: `p50 ${beside.whole.p50Ms.toFixed(0)} ms, p99 ${beside.whole.p99Ms.toFixed(0)} ms`,
        baseline: `without them: p50 ${alone.whole.p50Ms.toFixed(0)} ms, p99 ${alone.whole.p99Ms.toFixed(0)} ms`,
        ratio,
        target: `<= ${targetRatio} times`,
        met: ratio <= targetRatio,
      },
    ];
  } finally {
    await stack.stop();
    await models.close();
  }
}

async function flood({ base, adminKey }: BenchStack): Promise<void> {
  const { team, key } = await createTeam(base, adminKey);
  const agentId = await createAgent({ base, team, key }, 'Think.', 'compatible/hangs');
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ agent_id: agentId });
  const starts = Array.from({ length: floodSize }, () =>
    fetch(`${base}/v2/teams/${team}/runs`, { method: 'POST', headers, body }),
  );
  await Promise.all(starts);
}
