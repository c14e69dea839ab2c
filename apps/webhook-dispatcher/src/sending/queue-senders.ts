import { setMaxListeners } from 'node:events';
import type { Egress } from '@aos/egress';
import { isStoreUnavailable, newId } from '@aos/persistence';
import { Logger, Metrics, Tracing } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { DeliveryEnds } from '../deliveries/delivery-ends.js';
import { WebhookSecrets } from '../secrets/webhook-secrets.js';
import { WebhookSettings, type WebhookDispatcherConfig } from '../config/webhook-dispatcher.config.js';
import { succeeded, type Attempt } from './attempt.js';
import type { DeliveryOutcome } from './outcome.js';
import { LocalSenders } from '../endpoint-queues/local-senders.js';
import { QueueDispatch } from '../endpoint-queues/queue-dispatch.js';
import { QueueSender } from './queue-sender.js';
import { QueueAdmission, type TeamQueue } from '../endpoint-queues/queue-admission.js';
import { EndpointQueuesRepository } from '../endpoint-queues/endpoint-queues.repository.js';
import { OutcomeWriter } from './outcome-writer.js';
import { WebhookEgress } from '../config/webhook-egress.js';

/** Time for requests in flight at shutdown. */
const endWithinMs = 5_000;

type CountAttempt = (attempt: Attempt, outcome: DeliveryOutcome) => void;

/** Begins, keeps and ends the work of this process on queues. */
@Injectable()
export class QueueSenders {
  private readonly admission: QueueAdmission;
  private readonly countAttempt: CountAttempt;

  constructor(
    private readonly queues: EndpointQueuesRepository,
    private readonly ends: DeliveryEnds,
    private readonly here: LocalSenders,
    private readonly dispatch: QueueDispatch,
    private readonly secrets: WebhookSecrets,
    private readonly outcomes: OutcomeWriter,
    @Inject(WebhookEgress) private readonly egress: Egress,
    @Inject(WebhookSettings) private readonly settings: WebhookDispatcherConfig,
    private readonly tracing: Tracing,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.admission = new QueueAdmission(settings.WEBHOOK_ENDPOINT_QUEUES);
    this.countAttempt = attemptCounter(metrics);
    metrics.gauge({
      name: 'aos_webhook_slots',
      help: 'Receivers that this process sends to (used), and that wait for capacity (waiting)',
      labelNames: ['state'],
      collect: (gauge) => {
        const { used, waiting } = this.admission.counts();
        gauge.set({ state: 'used' }, used);
        gauge.set({ state: 'waiting' }, waiting);
      },
    });
  }

  /** Works on a queue until nothing is due there; returns at once if this process does already, or if the queue has to wait. */
  async send(queue: TeamQueue, ending: AbortSignal): Promise<void> {
    if (ending.aborted || this.here.wake(queue.id) || !this.admission.admit(queue)) return;
    await this.serve(queue, ending);
  }

  /** Works on an admitted queue, and then on the queues that are admitted after it. */
  private async serve(queue: TeamQueue, ending: AbortSignal): Promise<void> {
    const beside: Promise<void>[] = [];
    for (let next: TeamQueue | undefined = queue; next;) {
      await this.work(next, ending);
      const admitted = this.admission.release(next.team_id);
      next = admitted[0];
      for (const other of admitted.slice(1)) beside.push(this.serve(other, ending));
    }
    await Promise.all(beside);
  }

  private async work(queue: TeamQueue, ending: AbortSignal): Promise<void> {
    if (ending.aborted || this.here.wake(queue.id)) return;
    try {
      await this.sendHere(queue, ending);
    } catch (error) {
      // The lease runs out, and the sweep finds the queue. Waiting queues are admitted all the same.
      const level = isStoreUnavailable(error) ? 'warn' : 'error';
      this.logger[level]({ err: error, queue_id: queue.id }, 'a queue was left');
    }
  }

  private async sendHere({ id, team_id }: TeamQueue, ending: AbortSignal): Promise<void> {
    const queue = { id, token: newId() };
    const sender = new QueueSender({
      queue,
      queues: this.queues,
      ends: this.ends,
      secrets: this.secrets,
      outcomes: this.outcomes,
      egress: this.egress,
      settings: this.settings,
      tracing: this.tracing,
      onAttempt: this.countAttempt,
    });
    this.here.add(id, sender);
    try {
      if (!(await this.queues.claim(queue))) return;
      const end = await endingWith(ending, sender);
      if (end?.dueAt) this.dispatch.wakeAt({ id, team_id }, end.dueAt, end.dueInMs);
    } finally {
      this.here.remove(id);
      // Otherwise deliveries that arrive last would wait for the sweep.
      if (sender.woken) this.dispatch.wakeAt({ id, team_id }, new Date(), 0);
    }
  }

  /** A queue that was taken over by another, since this process was away too long, is left to it. */
  async renew(): Promise<void> {
    const senders = this.here.all();
    if (senders.length === 0) return;
    const leased = await this.queues.renew(senders.map(({ queue }) => queue));
    for (const sender of senders) if (!leased.has(sender.queue.id)) sender.abort();
  }
}

async function endingWith(ending: AbortSignal, sender: QueueSender) {
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    sender.stop();
    timer = setTimeout(() => sender.abort(), endWithinMs);
  };
  // Each queue listens; Node takes more than ten for a leak.
  setMaxListeners(0, ending);
  ending.addEventListener('abort', end, { once: true });
  try {
    return await sender.run();
  } finally {
    ending.removeEventListener('abort', end);
    clearTimeout(timer);
  }
}

function attemptCounter(metrics: Metrics): CountAttempt {
  const attempts = metrics.counter({
    name: 'aos_webhook_attempts_total',
    help: 'Attempts to deliver an event',
    labelNames: ['outcome'],
  });
  const durations = metrics.histogram({
    name: 'aos_webhook_attempt_seconds',
    help: 'How long receivers took',
  });
  const deliveries = metrics.counter({
    name: 'aos_webhook_deliveries_total',
    help: 'What attempts made of their deliveries: delivered, to be tried again (pending), or given up (dead)',
    labelNames: ['outcome'],
  });
  return (attempt, { status }) => {
    attempts.inc({ outcome: succeeded(attempt) ? 'delivered' : 'failed' });
    deliveries.inc({ outcome: status });
    durations.observe(attempt.durationMs / 1_000);
  };
}
