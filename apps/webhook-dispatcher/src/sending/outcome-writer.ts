import { Batcher } from '@aos/background';
import { isStoreUnavailable, PreparedStatements } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { WebhookSettings, type WebhookDispatcherConfig } from '../config/webhook-dispatcher.config.js';
import { succeeded, type Attempt } from './attempt.js';
import type { DueDelivery, LeasedQueue } from '../endpoint-queues/endpoint-queues.repository.js';
import type { DeliveryOutcome } from './outcome.js';
import { storeOutcomes } from '../deliveries/store-outcomes.sql.js';

export interface EndedAttempt {
  readonly queue: LeasedQueue;
  readonly delivery: DueDelivery;
  readonly attempt: Attempt;
  readonly outcome: DeliveryOutcome;
}

const maxBatch = 200;
const msInHour = 3_600_000;

/** Stores what came of attempts, those of many queues in one statement. */
@Injectable()
export class OutcomeWriter {
  private readonly batcher = new Batcher<EndedAttempt, void>({
    maxSize: maxBatch,
    run: (ended) => this.write(ended),
    tryAlone: (error) => !isStoreUnavailable(error),
  });

  constructor(
    private readonly statements: PreparedStatements,
    @Inject(WebhookSettings) private readonly settings: WebhookDispatcherConfig,
  ) {}

  /** Without effect if the lease of the queue is gone, or the delivery was settled otherwise meanwhile. */
  add(ended: EndedAttempt): Promise<void> {
    return this.batcher.add(ended);
  }

  private async write(ended: readonly EndedAttempt[]): Promise<{ ok: true; value: undefined }[]> {
    const sentAtMs = performance.now();
    const rows = ended.map(({ queue, delivery, attempt, outcome }, n) => ({
      n,
      queue_id: queue.id,
      token: queue.token,
      target_id: delivery.target_id,
      event_id: delivery.event_id,
      status: outcome.status,
      ok: succeeded(attempt),
      gone: outcome.gone,
      retry_after_ms: outcome.retryAfterMs,
      ended_ago_ms: sentAtMs - attempt.endedAtMs,
      status_code: attempt.statusCode,
      duration_ms: attempt.durationMs,
      error: attempt.error,
      response_body: attempt.responseBody,
    }));
    await this.statements.write(storeOutcomes, [
      JSON.stringify(rows),
      this.settings.WEBHOOK_DISABLE_AFTER_HOURS * msInHour,
    ]);
    return ended.map(() => ({ ok: true, value: undefined }));
  }
}
