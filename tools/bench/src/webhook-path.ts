import { startBenchStack } from './bench-stack.js';
import { measureInChild } from './children.js';
import { measureDeliveryList } from './delivery-list.js';
import type { Latency } from './latency.js';
import type { Figure } from './report.js';
import { createTeam } from './teams.js';
import type { WebhookLoad, WebhookLoadResult } from './webhook-load.types.js';

const perSecondTarget = 800;
const idleTargetMs = 60;
const hangingTarget = 2;

type Shape = Pick<WebhookLoad, 'receivers' | 'hanging' | 'batch' | 'everyMs' | 'events'>;

const flood: Shape = { receivers: 5, hanging: false, batch: 100, everyMs: 0, events: 2_000 };
const oneReceiver: Shape = { receivers: 1, hanging: false, batch: 100, everyMs: 0, events: 5_000 };
const idle: Shape = { receivers: 1, hanging: false, batch: 1, everyMs: 120, events: 60 };
const steady: Shape = { receivers: 1, hanging: false, batch: 1, everyMs: 20, events: 500 };

/** From the commit of an event to its signed POST at a receiver on the same machine. */
export async function measureWebhooks(): Promise<Figure[]> {
  const stack = await startBenchStack(['gateway', 'webhook-dispatcher'], {
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
  });
  try {
    const load = async (shape: Shape) => {
      const { team, key } = await createTeam(stack.base, stack.adminKey);
      const input: WebhookLoad = { ...shape, environment: stack.environment, base: stack.base, team, key };
      return measureInChild<WebhookLoadResult>('webhook-load', input);
    };
    const many = await load(flood);
    const single = await load(oneReceiver);
    const calm = await load(idle);
    const without = await load(steady);
    const beside = await load({ ...steady, hanging: true });
    const bare = await measureInChild<Latency>('bare-posts', { inFlight: 16, seconds: 3 });
    const baseline = `bare POSTs with undici: ${bare.perSecond.toFixed(0)}/s`;
    return [
      throughput('deliveries of each event to 5 receivers', many, bare, baseline),
      throughput('deliveries to 1 receiver', single, bare, baseline),
      {
        name: 'from commit to receipt, idle',
        value: `p50 ${calm.p50Ms.toFixed(1)} ms, p95 ${calm.p95Ms.toFixed(1)} ms`,
        baseline: `a bare POST, 16 in flight: p50 ${bare.p50Ms.toFixed(1)} ms`,
        target: `p50 <= ${idleTargetMs} ms`,
        met: calm.p50Ms <= idleTargetMs,
      },
      {
        name: 'from commit to receipt, 50/s, beside a receiver that hangs',
        value: `p95 ${beside.p95Ms.toFixed(1)} ms`,
        baseline: `without it: p95 ${without.p95Ms.toFixed(1)} ms`,
        ratio: beside.p95Ms / without.p95Ms,
        target: `<= ${hangingTarget}`,
        met: beside.p95Ms / without.p95Ms <= hangingTarget,
      },
      ...(await measureDeliveryList(stack)),
    ];
  } finally {
    await stack.stop();
  }
}

function throughput(name: string, result: WebhookLoadResult, bare: Latency, baseline: string): Figure {
  return {
    name,
    value: `${result.perSecond.toFixed(0)}/s`,
    baseline,
    ratio: result.perSecond / bare.perSecond,
    target: `>= ${perSecondTarget}/s`,
    met: result.perSecond >= perSecondTarget,
  };
}
