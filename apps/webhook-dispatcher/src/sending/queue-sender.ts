import { setMaxListeners } from 'node:events';
import type { Egress } from '@aos/egress';
import type { SpanDraft, Tracing } from '@aos/platform';
import type { DeliveryEnds } from '../deliveries/delivery-ends.js';
import type { OpenedSecrets, WebhookSecrets } from '../secrets/webhook-secrets.js';
import type { WebhookDispatcherConfig } from '../config/webhook-dispatcher.config.js';
import { attempt, succeeded, unsent, type Attempt } from './attempt.js';
import { outcomeOf, type DeliveryOutcome } from './outcome.js';
import type { OutcomeWriter } from './outcome-writer.js';
import type { Sender } from '../endpoint-queues/local-senders.js';
import type {
  DueDelivery,
  LeasedQueue,
  NextDue,
  QueuePage,
  EndpointQueuesRepository,
} from '../endpoint-queues/endpoint-queues.repository.js';

export interface QueueSenderOptions {
  readonly queue: LeasedQueue;
  readonly queues: EndpointQueuesRepository;
  readonly ends: DeliveryEnds;
  readonly secrets: WebhookSecrets;
  readonly outcomes: OutcomeWriter;
  readonly egress: Egress;
  readonly settings: WebhookDispatcherConfig;
  readonly tracing: Tracing;
  readonly onAttempt: (attempt: Attempt, outcome: DeliveryOutcome) => void;
}

/** How the work on a queue ended: when there is more to do, if at all; undefined if it was broken off. */
export type SendingEnd = NextDue | undefined;

/** A receiver that fails this often in a row gets only a few requests at a time, so that it holds few sockets. */
const failuresToSlow = 3;
const slowConcurrency = 2;
/** Attempts whose outcome is not stored yet. */
const maxUnsettled = 200;
const settleBatch = 1_000;
/** Something new that another process stored is looked for this often. */
const lookEveryMs = 500;

/** Sends what is due on one queue until nothing is left, a few at a time. */
export class QueueSender implements Sender {
  /** Ids of events that were sent and whose outcome is not stored yet. */
  private readonly unsettled = new Map<string, Promise<void>>();
  private readonly giveUp = new AbortController();
  private inFlight = 0;
  private failuresInRow = 0;
  private stopping = false;
  private fault: unknown;
  private changed = false;
  private notify: (() => void) | undefined;

  constructor(private readonly options: QueueSenderOptions) {
    // Each request under way listens; Node takes more than ten for a leak.
    setMaxListeners(0, this.giveUp.signal);
  }

  get queue(): LeasedQueue {
    return this.options.queue;
  }

  /** Whether something came that it has not looked for since. */
  get woken(): boolean {
    return this.changed;
  }

  /** Something was added, or something is over. */
  wake(): void {
    this.changed = true;
    this.notify?.();
  }

  /** Takes nothing more; `run` ends when what is under way has ended. */
  stop(): void {
    this.stopping = true;
    this.wake();
  }

  /** Gives up what is under way: it is sent again by the process that has the queue next, or has it already. */
  abort(): void {
    this.stop();
    this.giveUp.abort();
  }

  async run(): Promise<SendingEnd> {
    try {
      const end = await this.sendAll();
      if (!end) await this.options.queues.giveBack(this.queue);
      return end;
    } finally {
      // Only after a fault: the outcome of what is still under way cannot be stored.
      if (this.unsettled.size > 0) this.giveUp.abort();
      await Promise.all(this.unsettled.values());
    }
  }

  private async sendAll(): Promise<SendingEnd> {
    for (let first = true; !this.stopping; first = false) {
      this.changed = false;
      const room = this.room();
      const page = room > 0 ? await this.options.queues.page(this.queue, room, this.underWay()) : undefined;
      if (room > 0 && !page) return undefined;
      if (page && first) this.failuresInRow = page.consecutive_failures;
      if (page && page.state !== 'active') await this.settleAll(page.state);
      else if (page) await this.send(page);
      // A state read before the last outcome may not show that it disabled the webhook.
      if (page && this.unsettled.size === 0 && !this.changed) {
        const end = await this.options.queues.release(this.queue, page.wakes);
        if (end) return end;
      } else await this.change();
      if (this.fault !== undefined) throw this.fault;
    }
    await Promise.all(this.unsettled.values());
    return undefined;
  }

  private room(): number {
    const most =
      this.failuresInRow >= failuresToSlow ? slowConcurrency : this.options.settings.WEBHOOK_CONCURRENCY;
    return Math.min(most - this.inFlight, maxUnsettled - this.unsettled.size);
  }

  private underWay(): string[] {
    return [...this.unsettled.keys()];
  }

  private async send(page: QueuePage): Promise<void> {
    if (page.deliveries.length === 0) return;
    const { secrets } = this.options;
    const { team_id: teamId, sealed } = page;
    const keys = sealed === null ? await secrets.ensure(teamId) : { ...page, sealed };
    const opened = secrets.open(teamId, keys);
    const readAtMs = performance.now();
    const now = () => new Date(page.read_at.getTime() + performance.now() - readAtMs);
    for (const delivery of page.deliveries) {
      const sending = this.sendOne(delivery, opened, now)
        .catch((error: unknown) => {
          if (!this.giveUp.signal.aborted) this.fault ??= error;
        })
        .finally(() => {
          this.unsettled.delete(delivery.event_id);
          this.wake();
        });
      this.unsettled.set(delivery.event_id, sending);
    }
  }

  private async sendOne(delivery: DueDelivery, opened: OpenedSecrets, now: () => Date): Promise<void> {
    const made = opened.ok ? await this.tracedAttempt(delivery, opened.secrets, now) : unsent(opened.error);
    this.failuresInRow = succeeded(made) ? 0 : this.failuresInRow + 1;
    const number = delivery.attempts - delivery.attempts_before + 1;
    const outcome = outcomeOf(made, number, this.options.settings.WEBHOOK_RETRY_SCHEDULE_MS);
    this.options.onAttempt(made, outcome);
    await this.options.outcomes.add({ queue: this.queue, delivery, attempt: made, outcome });
  }

  /** A span for each attempt, in the trace of the event. */
  private tracedAttempt(
    delivery: DueDelivery,
    secrets: readonly string[],
    now: () => Date,
  ): Promise<Attempt> {
    const { tracing } = this.options;
    const { traceparent, event_id: requestId } = delivery;
    if (!tracing.enabled || traceparent === null) return this.attempt(delivery, secrets, now);
    return tracing.within({ requestId, traceparent }, spanOf(delivery), async (span) => {
      const made = await this.attempt(delivery, secrets, now);
      if (made.statusCode !== null) span.set({ 'http.response.status_code': made.statusCode });
      if (!succeeded(made)) span.fail(made.statusCode === null ? 'no_answer' : String(made.statusCode));
      return made;
    });
  }

  private async attempt(
    delivery: DueDelivery,
    secrets: readonly string[],
    now: () => Date,
  ): Promise<Attempt> {
    const { egress, settings } = this.options;
    const { event_id: id, event, url, body } = delivery;
    this.inFlight += 1;
    try {
      return await attempt(
        egress,
        { id, event, url, body, secrets, at: now() },
        {
          timeoutMs: settings.WEBHOOK_TIMEOUT_MS,
          connectTimeoutMs: settings.WEBHOOK_CONNECT_TIMEOUT_MS,
          signal: this.giveUp.signal,
        },
      );
    } finally {
      this.inFlight -= 1;
      this.wake();
    }
  }

  /** Nothing is sent to a disabled or deleted webhook; requests in flight may finish. */
  private async settleAll(state: 'disabled' | 'deleted'): Promise<void> {
    await Promise.all(this.unsettled.values());
    const status = state === 'disabled' ? 'skipped' : 'dropped';
    while (!this.stopping && (await this.options.ends.settle(this.queue, status, settleBatch)) > 0);
  }

  private async change(): Promise<void> {
    if (this.changed || this.stopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, lookEveryMs);
      this.notify = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.notify = undefined;
  }
}

/** The address may hold a secret of the team: of it only the host is told. */
function spanOf({ event, event_id: id, target_id: target, url, attempts }: DueDelivery): SpanDraft {
  return {
    name: `deliver ${event}`,
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'server.address': URL.canParse(url) ? new URL(url).hostname : undefined,
      'messaging.message.id': id,
      'aos.event': event,
      'aos.webhook.target': target,
      'aos.webhook.attempt': attempts + 1,
    },
  };
}
