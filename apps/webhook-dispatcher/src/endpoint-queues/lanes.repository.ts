import { Statements, Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { WebhookSettings, type WebhookDispatcherConfig } from '../config/webhook-dispatcher.config.js';
import type { TeamLane } from './lane-slots.js';
import {
  claimLane,
  giveLaneBack,
  overdueLanes,
  pageOfLane,
  releaseLane,
  renewLanes,
  teamOfLane,
  wakeLane,
} from './lanes.sql.js';

/** Whose lane it is: a webhook's, or that of callbacks. */
export interface LaneOwner {
  readonly laneId: string;
  readonly teamId: string;
  readonly subscriptionId: string | null;
}

/** A lane with something to do. */
export interface WokenLane extends TeamLane {
  readonly wakes: string;
}

/** The right to work on a lane. */
export interface HeldLane {
  readonly id: string;
  readonly token: string;
}

/** `deleted`, `disabled`: what its webhook is; callbacks are always active. */
export type LaneState = 'active' | 'disabled' | 'deleted';

export interface DueDelivery {
  readonly target_id: string;
  readonly event_id: string;
  readonly event: string;
  readonly url: string;
  readonly body: string;
  readonly attempts: number;
  readonly attempts_before: number;
}

export interface LanePage {
  readonly state: LaneState;
  readonly wakes: string;
  readonly team_id: string;
  readonly subscription_id: string | null;
  readonly consecutive_failures: number;
  readonly sealed: string | null;
  readonly previous_sealed: string | null;
  readonly previous_expires_at: Date | null;
  readonly deliveries: readonly DueDelivery[];
}

type PageRow = Omit<LanePage, 'deliveries'> & (DueDelivery | { readonly event_id: null });

/** Who works on which lane, and what is due there. */
@Injectable()
export class LanesRepository {
  constructor(
    @Inject(Statements) private readonly statements: Statements,
    @Inject(Transactions) private readonly transactions: Transactions,
    @Inject(WebhookSettings) private readonly settings: WebhookDispatcherConfig,
  ) {}

  /** Something was added or changed there: whoever works on it looks again, or somebody begins to. */
  wake({ laneId, teamId, subscriptionId }: LaneOwner): Promise<WokenLane[]> {
    return this.transactions.query<WokenLane>(wakeLane, [laneId, teamId, subscriptionId]);
  }

  /** False if there is nothing to do on it, or another works on it. */
  async claim({ id, token }: HeldLane): Promise<boolean> {
    const rows = await this.statements.write(claimLane, [id, token, this.settings.WEBHOOK_LEASE_MS]);
    return rows.length === 1;
  }

  /** Those of the lanes that are held no longer are left out. */
  async renew(lanes: readonly HeldLane[]): Promise<Set<string>> {
    const rows = await this.statements.write<{ id: string }>(renewLanes, [
      lanes.map(({ id }) => id),
      lanes.map(({ token }) => token),
      this.settings.WEBHOOK_LEASE_MS,
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  /** What is due, the longest due first; undefined if the lane is held no longer. */
  async page(
    { id, token }: HeldLane,
    limit: number,
    underWay: readonly string[],
  ): Promise<LanePage | undefined> {
    const rows = await this.statements.read<PageRow>(pageOfLane, [id, token, underWay, limit]);
    const [first] = rows;
    if (!first) return undefined;
    return {
      ...first,
      deliveries: rows.filter((row): row is PageRow & DueDelivery => row.event_id !== null),
    };
  }

  /**
   * Ends the work on a lane unless something came since its wakes were read; says when there is something to do next,
   * and false if it is not over.
   */
  async release({ id, token }: HeldLane, wakes: string): Promise<{ dueAt: Date | null } | false> {
    const [row] = await this.statements.write<{ due_at: Date | null }>(releaseLane, [id, token, wakes]);
    return row ? { dueAt: row.due_at } : false;
  }

  /** Leaves the lane to others as it is. */
  async giveBack({ id, token }: HeldLane): Promise<void> {
    await this.statements.write(giveLaneBack, [id, token]);
  }

  async teamOf(laneId: string): Promise<string | undefined> {
    const [row] = await this.statements.read<{ team_id: string }>(teamOfLane, [laneId]);
    return row?.team_id;
  }

  /**
   * Lanes that are overdue and that nobody works on: of each team the first, then of each the second, and so on, lest
   * those of one with thousands hide the others.
   */
  overdue(byMs: number, limit: number): Promise<WokenLane[]> {
    return this.transactions.query<WokenLane>(overdueLanes, [byMs, limit]);
  }
}
