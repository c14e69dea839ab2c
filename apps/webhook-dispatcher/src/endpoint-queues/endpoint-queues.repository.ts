import { PreparedStatements, Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { WebhookSettings, type WebhookDispatcherConfig } from '../config/webhook-dispatcher.config.js';
import type { TeamQueue } from './queue-admission.js';
import {
  claimQueue,
  giveQueueBack,
  overdueQueues,
  pageOfQueue,
  releaseQueue,
  renewQueues,
  teamOfQueue,
  wakeQueue,
} from './endpoint-queues.sql.js';

export interface QueueOwner {
  readonly queueId: string;
  readonly teamId: string;
  readonly subscriptionId: string | null;
}

/** A queue with something to do. */
export interface WokenQueue extends TeamQueue {
  readonly wakes: string;
}

/** The right to work on a queue. */
export interface LeasedQueue {
  readonly id: string;
  readonly token: string;
}

/** `deleted`, `disabled`: what its webhook is; callbacks are always active. */
export type QueueState = 'active' | 'disabled' | 'deleted';

export interface DueDelivery {
  readonly target_id: string;
  readonly event_id: string;
  readonly event: string;
  readonly url: string;
  readonly body: string;
  /** The trace of its event, where one is recorded. */
  readonly traceparent: string | null;
  readonly attempts: number;
  readonly attempts_before: number;
}

/** When a queue has something to do next; null if never. By Postgres, as are all times that processes compare. */
export interface NextDue {
  readonly dueAt: Date | null;
  readonly dueInMs: number;
}

export interface QueuePage {
  /** By Postgres. */
  readonly read_at: Date;
  readonly state: QueueState;
  readonly wakes: string;
  readonly team_id: string;
  readonly subscription_id: string | null;
  readonly consecutive_failures: number;
  readonly sealed: string | null;
  readonly previous_sealed: string | null;
  readonly previous_expires_at: Date | null;
  readonly deliveries: readonly DueDelivery[];
}

type PageRow = Omit<QueuePage, 'deliveries'> & (DueDelivery | { readonly event_id: null });

@Injectable()
export class EndpointQueuesRepository {
  constructor(
    private readonly statements: PreparedStatements,
    private readonly transactions: Transactions,
    @Inject(WebhookSettings) private readonly settings: WebhookDispatcherConfig,
  ) {}

  /** Something was added or changed there: the process that works on it looks again, or one begins to. */
  wake({ queueId, teamId, subscriptionId }: QueueOwner): Promise<WokenQueue[]> {
    return this.transactions.query<WokenQueue>(wakeQueue, [queueId, teamId, subscriptionId]);
  }

  /** False if there is nothing to do on it, or another works on it. */
  async claim({ id, token }: LeasedQueue): Promise<boolean> {
    const rows = await this.statements.write(claimQueue, [id, token, this.settings.WEBHOOK_LEASE_MS]);
    return rows.length === 1;
  }

  /** Queues with a lost lease are left out. */
  async renew(queues: readonly LeasedQueue[]): Promise<Set<string>> {
    const rows = await this.statements.write<{ id: string }>(renewQueues, [
      queues.map(({ id }) => id),
      queues.map(({ token }) => token),
      this.settings.WEBHOOK_LEASE_MS,
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Due deliveries, the longest due first; undefined if the lease is lost. */
  async page(
    { id, token }: LeasedQueue,
    limit: number,
    underWay: readonly string[],
  ): Promise<QueuePage | undefined> {
    const rows = await this.statements.read<PageRow>(pageOfQueue, [id, token, underWay, limit]);
    const [first] = rows;
    if (!first) return undefined;
    return {
      ...first,
      deliveries: rows.filter((row): row is PageRow & DueDelivery => row.event_id !== null),
    };
  }

  /**
   * Ends the work on a queue unless something came since its wakes were read; says when there is something to do next,
   * and false if it is not over.
   */
  async release({ id, token }: LeasedQueue, wakes: string): Promise<NextDue | false> {
    const [row] = await this.statements.write<{ due_at: Date | null; due_in_ms: number | null }>(
      releaseQueue,
      [id, token, wakes],
    );
    return row ? { dueAt: row.due_at, dueInMs: row.due_in_ms ?? 0 } : false;
  }

  /** Leaves the queue to others as it is. */
  async giveBack({ id, token }: LeasedQueue): Promise<void> {
    await this.statements.write(giveQueueBack, [id, token]);
  }

  async teamOf(queueId: string): Promise<string | undefined> {
    const [row] = await this.statements.read<{ team_id: string }>(teamOfQueue, [queueId]);
    return row?.team_id;
  }

  /**
   * Queues that are overdue and that no process works on: of each team the first, then of each the second, and so on, lest
   * those of one with thousands hide the others.
   */
  overdue(byMs: number, limit: number): Promise<WokenQueue[]> {
    return this.transactions.query<WokenQueue>(overdueQueues, [byMs, limit]);
  }
}
