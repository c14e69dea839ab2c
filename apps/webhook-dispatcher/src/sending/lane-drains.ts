import { setMaxListeners } from 'node:events';
import type { Egress } from '@aos/egress';
import { isStoreUnavailable, newId } from '@aos/persistence';
import { Logger, Metrics } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { DeliveryEnds } from '../deliveries/delivery-ends.js';
import { WebhookSecrets } from '../secrets/webhook-secrets.js';
import { WebhookSettings, type WebhookDispatcherConfig } from '../config/webhook-dispatcher.config.js';
import { succeeded, type Attempt } from './attempt.js';
import { DrainsHere } from '../endpoint-queues/drains-here.js';
import { LaneDispatch } from '../endpoint-queues/lane-dispatch.js';
import { LaneDrain } from './lane-drain.js';
import { LaneSlots, type TeamLane } from '../endpoint-queues/lane-slots.js';
import { LanesRepository } from '../endpoint-queues/lanes.repository.js';
import { OutcomeWriter } from './outcome-writer.js';
import { WebhookEgress } from '../config/webhook-egress.js';

/** What is under way when the process ends may take this long. */
const endWithinMs = 5_000;

/** Begins, keeps and ends the work of this process on lanes. */
@Injectable()
export class LaneDrains {
  private readonly slots: LaneSlots;
  private readonly countAttempt: (attempt: Attempt) => void;

  constructor(
    @Inject(LanesRepository) private readonly lanes: LanesRepository,
    @Inject(DeliveryEnds) private readonly ends: DeliveryEnds,
    @Inject(DrainsHere) private readonly here: DrainsHere,
    @Inject(LaneDispatch) private readonly dispatch: LaneDispatch,
    @Inject(WebhookSecrets) private readonly secrets: WebhookSecrets,
    @Inject(OutcomeWriter) private readonly outcomes: OutcomeWriter,
    @Inject(WebhookEgress) private readonly egress: Egress,
    @Inject(WebhookSettings) private readonly settings: WebhookDispatcherConfig,
    @Inject(Logger) private readonly logger: Logger,
    @Inject(Metrics) metrics: Metrics,
  ) {
    this.slots = new LaneSlots(settings.WEBHOOK_LANES);
    this.countAttempt = attemptCounter(metrics);
  }

  /** Works on a lane until nothing is due there; at once if somebody else does already, or if it has to wait. */
  async drain(lane: TeamLane, ending: AbortSignal): Promise<void> {
    if (ending.aborted || this.here.wake(lane.id) || !this.slots.enter(lane)) return;
    await this.serve(lane, ending);
  }

  /** Works on a lane that has its place, and then on those that get the place after it. */
  private async serve(lane: TeamLane, ending: AbortSignal): Promise<void> {
    const beside: Promise<void>[] = [];
    for (let next: TeamLane | undefined = lane; next;) {
      await this.work(next, ending);
      const admitted = this.slots.leave(next.team_id);
      next = admitted[0];
      for (const other of admitted.slice(1)) beside.push(this.serve(other, ending));
    }
    await Promise.all(beside);
  }

  private async work(lane: TeamLane, ending: AbortSignal): Promise<void> {
    if (ending.aborted || this.here.wake(lane.id)) return;
    try {
      await this.drainHere(lane, ending);
    } catch (error) {
      // The lease runs out, and the sweep finds the lane. Those that wait for the place get it all the same.
      const level = isStoreUnavailable(error) ? 'warn' : 'error';
      this.logger[level]({ err: error, lane_id: lane.id }, 'a lane was left');
    }
  }

  private async drainHere({ id, team_id }: TeamLane, ending: AbortSignal): Promise<void> {
    const lane = { id, token: newId() };
    const drain = new LaneDrain({
      lane,
      lanes: this.lanes,
      ends: this.ends,
      secrets: this.secrets,
      outcomes: this.outcomes,
      egress: this.egress,
      settings: this.settings,
      onAttempt: this.countAttempt,
    });
    this.here.add(id, drain);
    try {
      if (!(await this.lanes.claim(lane))) return;
      const end = await endingWith(ending, drain);
      if (end?.dueAt) this.dispatch.wakeAt({ id, team_id }, end.dueAt);
    } finally {
      this.here.remove(id);
      // What came at the very end would otherwise wait for the sweep.
      if (drain.woken) this.dispatch.wakeAt({ id, team_id }, new Date());
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
