import { sendEndpointQueue } from '@aos/contracts';
import { Processes, type JobRun } from '@aos/messaging';
import { BackgroundLoops, heartbeatMs } from '@aos/background';
import { Metrics, type Counter, type Gauge } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { WebhookSettings, type WebhookDispatcherConfig } from '../config/webhook-dispatcher.config.js';
import { QueueDispatch } from '../endpoint-queues/queue-dispatch.js';
import { QueueSenders } from './queue-senders.js';
import { EndpointQueuesRepository } from '../endpoint-queues/endpoint-queues.repository.js';

const sweepEveryMs = 1_000;
/** A job that comes in time is left its time. */
const overdueMs = 1_500;
const sweepPage = 500;

/** The workers of queues, and the loops that keep their leases and bring back what Redis or a dead worker has lost. */
@Injectable()
export class EndpointQueueJobs {
  private readonly overdue: Gauge;
  private readonly rebuilt: Counter;

  constructor(
    private readonly senders: QueueSenders,
    private readonly queues: EndpointQueuesRepository,
    private readonly dispatch: QueueDispatch,
    loops: BackgroundLoops,
    @Inject(WebhookSettings) settings: WebhookDispatcherConfig,
    metrics: Metrics,
  ) {
    this.overdue = metrics.gauge({
      name: 'aos_webhook_overdue_queues',
      help: `Receivers with something overdue that no process sends, found by the last sweep; ${sweepPage} at most`,
    });
    this.rebuilt = metrics.counter({
      name: 'aos_webhook_queues_rebuilt_total',
      help: 'Receivers whose work Redis or a dead process had lost, and that the sweep has put back',
    });
    loops.add({
      name: 'the search for overdue webhooks',
      idleMs: sweepEveryMs,
      mayBeLeft: true,
      work: () => this.sweep(),
    });
    loops.add({
      name: 'the leases of queues',
      idleMs: heartbeatMs(settings.WEBHOOK_LEASE_MS),
      until: 'close',
      work: async () => {
        await senders.renew();
        return false;
      },
    });
  }

  @Processes(sendEndpointQueue)
  async send(
    { queue_id: id, team_id }: { queue_id: string; team_id?: string },
    { signal }: JobRun,
  ): Promise<void> {
    const teamId = team_id ?? (await this.queues.teamOf(id));
    if (teamId !== undefined) await this.senders.send({ id, team_id: teamId }, signal);
  }

  private async sweep(): Promise<boolean> {
    const overdue = await this.queues.overdue(overdueMs, sweepPage);
    this.overdue.set(overdue.length);
    await this.dispatch.rebuild(overdue);
    this.rebuilt.inc(overdue.length);
    return false;
  }
}
