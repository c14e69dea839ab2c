import { Statements, Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { WebhookSettings, type WebhookDispatcherConfig } from '../config/webhook-dispatcher.config.js';
import type { TeamLane } from './lane-slots.js';

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

/** Address, secrets and deliveries are read together, just before they are used. $3: those that are under way. */
const pageSql = `
  SELECT l.wakes, l.team_id, l.subscription_id, COALESCE(s.consecutive_failures, 0) AS consecutive_failures,
         CASE WHEN l.subscription_id IS NULL OR s.enabled THEN 'active'
              WHEN s.id IS NULL THEN 'deleted' ELSE 'disabled' END AS state,
         k.sealed, k.previous_sealed, k.previous_expires_at,
         d.target_id, d.event_id, d.event, COALESCE(s.url, d.url) AS url, f.body, d.attempts, d.attempts_before
    FROM delivery_lane l
    LEFT JOIN webhook_subscription s ON s.id = l.subscription_id
    LEFT JOIN webhook_secret k ON k.team_id = l.team_id
    LEFT JOIN LATERAL (
      SELECT * FROM delivery
       WHERE lane_id = l.id AND status = 'pending' AND next_attempt_at <= now() AND event_id <> ALL ($3::uuid[])
       ORDER BY next_attempt_at, position LIMIT $4) AS d ON true
    LEFT JOIN feed_event f ON f.team_id = d.team_id AND f.position = d.position
   WHERE l.id = $1 AND l.lease_token = $2
   ORDER BY d.next_attempt_at, d.position`;

/** The teams are found one after the other in the index, however many lanes each has. */
const overdueSql = `
  WITH RECURSIVE team(id) AS (
    (SELECT team_id FROM delivery_lane WHERE due_at IS NOT NULL ORDER BY team_id LIMIT 1)
    UNION ALL
    SELECT (SELECT l.team_id FROM delivery_lane l WHERE l.due_at IS NOT NULL AND l.team_id > team.id
             ORDER BY l.team_id LIMIT 1)
      FROM team WHERE team.id IS NOT NULL)
  SELECT lane.id, lane.wakes, team.id AS team_id
    FROM team CROSS JOIN LATERAL (
      SELECT l.id, l.wakes, l.due_at, row_number() OVER (ORDER BY l.due_at) AS place FROM (
        SELECT * FROM delivery_lane
         WHERE team_id = team.id AND due_at < now() - $1 * interval '1 ms'
           AND (lease_until IS NULL OR lease_until < now())
         ORDER BY due_at LIMIT $2) AS l) AS lane
   ORDER BY lane.place, lane.due_at LIMIT $2`;

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
    return this.transactions.query<WokenLane>(
      `INSERT INTO delivery_lane AS l (id, team_id, subscription_id, due_at, wakes, used_at)
       VALUES ($1, $2, $3, now(), 1, now())
       ON CONFLICT (id) DO UPDATE SET due_at = now(), wakes = l.wakes + 1, used_at = now()
       RETURNING l.id, l.wakes, l.team_id`,
      [laneId, teamId, subscriptionId],
    );
  }

  /** False if there is nothing to do on it, or another works on it. */
  async claim({ id, token }: HeldLane): Promise<boolean> {
    const rows = await this.statements.write(
      `UPDATE delivery_lane SET lease_token = $2, lease_until = now() + $3 * interval '1 ms'
        WHERE id = $1 AND due_at <= now() AND (lease_until IS NULL OR lease_until < now()) RETURNING id`,
      [id, token, this.settings.WEBHOOK_LEASE_MS],
    );
    return rows.length === 1;
  }

  /** Those of the lanes that are held no longer are left out. */
  async renew(lanes: readonly HeldLane[]): Promise<Set<string>> {
    const rows = await this.statements.write<{ id: string }>(
      `UPDATE delivery_lane l SET lease_until = now() + $3 * interval '1 ms'
         FROM unnest($1::uuid[], $2::uuid[]) AS held(id, token)
        WHERE l.id = held.id AND l.lease_token = held.token RETURNING l.id`,
      [lanes.map(({ id }) => id), lanes.map(({ token }) => token), this.settings.WEBHOOK_LEASE_MS],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** What is due, the longest due first; undefined if the lane is held no longer. */
  async page(
    { id, token }: HeldLane,
    limit: number,
    underWay: readonly string[],
  ): Promise<LanePage | undefined> {
    const rows = await this.statements.read<PageRow>(pageSql, [id, token, underWay, limit]);
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
    const [row] = await this.statements.write<{ due_at: Date | null }>(
      `UPDATE delivery_lane SET lease_token = NULL, lease_until = NULL,
              due_at = (SELECT min(next_attempt_at) FROM delivery WHERE lane_id = $1 AND status = 'pending')
        WHERE id = $1 AND lease_token = $2 AND wakes = $3 RETURNING due_at`,
      [id, token, wakes],
    );
    return row ? { dueAt: row.due_at } : false;
  }

  /** Leaves the lane to others as it is. */
  async giveBack({ id, token }: HeldLane): Promise<void> {
    await this.statements.write(
      `UPDATE delivery_lane SET lease_token = NULL, lease_until = NULL WHERE id = $1 AND lease_token = $2`,
      [id, token],
    );
  }

  async teamOf(laneId: string): Promise<string | undefined> {
    const [row] = await this.statements.read<{ team_id: string }>(
      'SELECT team_id FROM delivery_lane WHERE id = $1',
      [laneId],
    );
    return row?.team_id;
  }

  /**
   * Lanes that are overdue and that nobody works on: of each team the first, then of each the second, and so on, lest
   * those of one with thousands hide the others.
   */
  overdue(byMs: number, limit: number): Promise<WokenLane[]> {
    return this.transactions.query<WokenLane>(overdueSql, [byMs, limit]);
  }
}
