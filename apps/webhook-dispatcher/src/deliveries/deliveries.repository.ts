import type { DeliveryStatus, EventEnvelope } from '@aos/contracts';
import { Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { moveCounts } from './delivery-counts.sql.js';
import type { DeliveryAttemptEntity, DeliveryEntity } from './delivery.entities.js';

export interface DeliveryFilter extends PageRequest {
  readonly status?: DeliveryStatus;
}

export interface WholeDelivery {
  readonly delivery: DeliveryEntity;
  readonly attempts: readonly DeliveryAttemptEntity[];
  readonly payload: EventEnvelope;
}

@Injectable()
export class DeliveriesRepository {
  constructor(@Inject(Transactions) private readonly transactions: Transactions) {}

  /** To a webhook, newest first. They may be many, so the total comes from the counters. */
  pageOfWebhook(teamId: string, webhookId: string, filter: DeliveryFilter): Promise<Page<DeliveryEntity>> {
    return this.page(teamId, webhookId, filter, 'SELECT sum(deliveries) FROM delivery_count AS d');
  }

  /** To the callback of a run, newest first. They are few. */
  pageOfRun(teamId: string, runId: string, filter: DeliveryFilter): Promise<Page<DeliveryEntity>> {
    return this.page(teamId, runId, filter, 'SELECT count(*) FROM delivery AS d');
  }

  async find(teamId: string, targetId: string, eventId: string): Promise<DeliveryEntity | undefined> {
    const [row] = await this.transactions.query<DeliveryEntity>(
      'SELECT * FROM delivery WHERE target_id = $2 AND event_id = $3 AND team_id = $1',
      [teamId, targetId, eventId],
    );
    return row;
  }

  /** With what was sent and what came of it, all of the same moment. */
  async findWhole(teamId: string, targetId: string, eventId: string): Promise<WholeDelivery | undefined> {
    const rows = await this.transactions.query<
      DeliveryEntity & DeliveryAttemptEntity & { body: string; number: number | null }
    >(
      `SELECT a.*, f.body, d.* FROM delivery d
         JOIN feed_event f ON f.team_id = d.team_id AND f.position = d.position
         LEFT JOIN delivery_attempt a ON a.target_id = d.target_id AND a.event_id = d.event_id
        WHERE d.target_id = $2 AND d.event_id = $3 AND d.team_id = $1 ORDER BY a.number`,
      [teamId, targetId, eventId],
    );
    const [delivery] = rows;
    if (!delivery) return undefined;
    const payload = JSON.parse(delivery.body) as EventEnvelope;
    return { delivery, payload, attempts: rows.filter(({ number }) => number !== null) };
  }

  /** Rows and total in one statement: both of the same moment. */
  private async page(
    teamId: string,
    targetId: string,
    filter: DeliveryFilter,
    total: string,
  ): Promise<Page<DeliveryEntity>> {
    const { status, limit, offset } = filter;
    const wanted = `d.target_id = $2 ${status === undefined ? '' : 'AND d.status = $5'}`;
    const rows = await this.transactions.query<DeliveryEntity & { total: string }>(
      `SELECT page.*, COALESCE(counted.total, 0) AS total FROM (${total} WHERE ${wanted}) AS counted(total)
         LEFT JOIN LATERAL (
           SELECT * FROM delivery d WHERE ${wanted} AND d.team_id = $1
            ORDER BY d.event_id DESC LIMIT $3 OFFSET $4) AS page ON true`,
      [teamId, targetId, limit, offset, ...(status === undefined ? [] : [status])],
    );
    return {
      items: rows.filter((row) => row.event_id !== null),
      total: Number(rows[0]!.total),
      limit,
      offset,
    };
  }

  /** Due now, with the whole schedule before it; undefined if there is no such delivery. */
  async renew(teamId: string, targetId: string, eventId: string): Promise<DeliveryEntity | undefined> {
    const [row] = await this.transactions.query<DeliveryEntity>(
      `WITH before AS (
         SELECT target_id, event_id, status, url FROM delivery
          WHERE target_id = $2 AND event_id = $3 AND team_id = $1 FOR UPDATE),
       counted AS (${moveCounts(`
         SELECT target_id, status, -1 AS change FROM before WHERE url IS NULL
         UNION ALL SELECT target_id, 'pending', 1 FROM before WHERE url IS NULL`)})
       UPDATE delivery d SET ${renewed} FROM before
        WHERE d.target_id = before.target_id AND d.event_id = before.event_id RETURNING d.*`,
      [teamId, targetId, eventId],
    );
    return row;
  }
}

/** What it takes for a delivery to be sent as if for the first time. */
export const renewed = `status = 'pending', next_attempt_at = now(), attempts_before = attempts`;
