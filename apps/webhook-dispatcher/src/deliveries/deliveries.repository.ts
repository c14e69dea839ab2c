import type { DeliveryStatus, EventEnvelope } from '@aos/contracts';
import { Transactions, type PageRequest } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { moveCounts } from './delivery-counts.sql.js';
import type { DeliveryAttemptEntity, DeliveryEntity } from './delivery.entities.js';

export interface DeliveryFilter extends PageRequest {
  readonly status?: DeliveryStatus;
}

@Injectable()
export class DeliveriesRepository {
  constructor(@Inject(Transactions) private readonly transactions: Transactions) {}

  /** Newest first. */
  page(
    teamId: string,
    targetId: string,
    { status, limit, offset }: DeliveryFilter,
  ): Promise<DeliveryEntity[]> {
    const ofStatus = status === undefined ? '' : 'AND status = $5';
    return this.transactions.query<DeliveryEntity>(
      `SELECT * FROM delivery WHERE target_id = $2 AND team_id = $1 ${ofStatus}
        ORDER BY event_id DESC LIMIT $3 OFFSET $4`,
      [teamId, targetId, limit, offset, ...(status === undefined ? [] : [status])],
    );
  }

  /** Of a webhook, whose deliveries may be many: from its counters. */
  async countOfWebhook(targetId: string, status: DeliveryStatus | undefined): Promise<number> {
    const [row] = await this.transactions.query<{ total: string }>(
      `SELECT COALESCE(sum(deliveries), 0) AS total FROM delivery_count
        WHERE target_id = $1 AND ($2::text IS NULL OR status = $2)`,
      [targetId, status ?? null],
    );
    return Number(row!.total);
  }

  /** Of a run, whose deliveries are few. */
  async countOfRun(teamId: string, runId: string, status: DeliveryStatus | undefined): Promise<number> {
    const [row] = await this.transactions.query<{ total: string }>(
      `SELECT count(*) AS total FROM delivery
        WHERE target_id = $2 AND team_id = $1 AND ($3::text IS NULL OR status = $3)`,
      [teamId, runId, status ?? null],
    );
    return Number(row!.total);
  }

  async find(teamId: string, targetId: string, eventId: string): Promise<DeliveryEntity | undefined> {
    const [row] = await this.transactions.query<DeliveryEntity>(
      'SELECT * FROM delivery WHERE target_id = $2 AND event_id = $3 AND team_id = $1',
      [teamId, targetId, eventId],
    );
    return row;
  }

  attempts({ target_id: targetId, event_id: eventId }: DeliveryEntity): Promise<DeliveryAttemptEntity[]> {
    return this.transactions.query<DeliveryAttemptEntity>(
      'SELECT * FROM delivery_attempt WHERE target_id = $1 AND event_id = $2 ORDER BY number',
      [targetId, eventId],
    );
  }

  async payload({ team_id: teamId, position }: DeliveryEntity): Promise<EventEnvelope | undefined> {
    const [row] = await this.transactions.query<{ body: string }>(
      'SELECT body FROM feed_event WHERE team_id = $1 AND position = $2',
      [teamId, position],
    );
    return row && (JSON.parse(row.body) as EventEnvelope);
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
