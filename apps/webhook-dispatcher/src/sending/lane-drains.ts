import { setMaxListeners } from 'node:events';
import type { Egress } from '@aos/egress';
import { newId } from '@aos/persistence';
import { Metrics } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { WebhookSecrets } from '../secrets/webhook-secrets.js';
import { WebhookSettings, type WebhookDispatcherConfig } from '../webhook-dispatcher.config.js';
import { succeeded, type Attempt } from './attempt.js';
import { DrainsHere } from './drains-here.js';
import { LaneDispatch } from './lane-dispatch.js';
import { LaneDrain } from './lane-drain.js';
import { LanesRepository } from './lanes.repository.js';
import { OutcomeWriter } from './outcome-writer.js';
import { WebhookEgress } from './webhook-egress.js';

/** What is under way when the process ends may take this long. */
const endWithinMs = 5_000;

/** Begins, keeps and ends the work of this process on lanes. */
@Injectable()
export class LaneDrains {
  private readonly countAttempt: (attempt: Attempt) => void;

  constructor(
    @Inject(LanesRepository) private readonly lanes: LanesRepository,
    @Inject(DrainsHere) private readonly here: DrainsHere,
    @Inject(LaneDispatch) private readonly dispatch: LaneDispatch,
    @Inject(WebhookSecrets) private readonly secrets: WebhookSecrets,
    @Inject(OutcomeWriter) private readonly outcomes: OutcomeWriter,
    @Inject(WebhookEgress) private readonly egress: Egress,
    @Inject(WebhookSettings) private readonly settings: WebhookDispatcherConfig,
    @Inject(Metrics) metrics: Metrics,
  ) {
    this.countAttempt = attemptCounter(metrics);
  }

  /** Works on a lane until nothing is due there; at once if somebody else does already. */
  async drain(laneId: string, ending: AbortSignal): Promise<void> {
    if (ending.aborted || this.here.wake(laneId)) return;
    const lane = { id: laneId, token: newId() };
    const drain = new LaneDrain({
      lane,
      lanes: this.lanes,
      secrets: this.secrets,
      outcomes: this.outcomes,
      egress: this.egress,
      settings: this.settings,
      onAttempt: this.countAttempt,
    });
    this.here.add(laneId, drain);
    try {
      if (!(await this.lanes.claim(lane))) return;
      const end = await endingWith(ending, drain);
      if (end?.dueAt) this.dispatch.wakeAt(laneId, end.dueAt);
    } finally {
      this.here.remove(laneId);
      // What came at the very end would otherwise wait for the sweep.
      if (drain.woken) this.dispatch.wakeAt(laneId, new Date());
    }
  }

  /** A lane that was taken over by another, since this process was away too long, is left to it. */
  async renew(): Promise<void> {
    const drains = this.here.all();
    if (drains.length === 0) return;
    const held = await this.lanes.renew(drains.map(({ lane }) => lane));
    for (const drain of drains) if (!held.has(drain.lane.id)) drain.abort();
  }
}

async function endingWith(ending: AbortSignal, drain: LaneDrain) {
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    drain.stop();
    timer = setTimeout(() => drain.abort(), endWithinMs);
  };
  // Each lane listens; Node takes more than ten for a leak.
  setMaxListeners(0, ending);
  ending.addEventListener('abort', end, { once: true });
  try {
    return await drain.run();
  } finally {
    ending.removeEventListener('abort', end);
    clearTimeout(timer);
  }
}

function attemptCounter(metrics: Metrics): (attempt: Attempt) => void {
  const attempts = metrics.counter({
    name: 'aos_webhook_attempts_total',
    help: 'Attempts to deliver an event',
    labelNames: ['outcome'],
  });
  const durations = metrics.histogram({
    name: 'aos_webhook_attempt_seconds',
    help: 'How long receivers took',
  });
  return (attempt) => {
    attempts.inc({ outcome: succeeded(attempt) ? 'delivered' : 'failed' });
    durations.observe(attempt.durationMs / 1_000);
  };
}
