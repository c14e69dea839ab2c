import type { DeliveryStatus, EventEnvelope } from '@aos/contracts';
import { Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import {
  countedDeliveries,
  fewDeliveries,
  findWholeDelivery,
  pageOfDeliveries,
  renewDelivery,
} from './deliveries.sql.js';
import { DeliveryEntity, type DeliveryAttemptEntity } from './delivery.entities.js';

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
  constructor(private readonly transactions: Transactions) {}

  /** To a webhook, newest first. */
  pageOfWebhook(teamId: string, webhookId: string, filter: DeliveryFilter): Promise<Page<DeliveryEntity>> {
    return this.page(teamId, webhookId, filter, countedDeliveries);
  }

  /** To the callback of a run, newest first. */
  pageOfRun(teamId: string, runId: string, filter: DeliveryFilter): Promise<Page<DeliveryEntity>> {
    return this.page(teamId, runId, filter, fewDeliveries);
  }

  async find(teamId: string, targetId: string, eventId: string): Promise<DeliveryEntity | undefined> {
    const where = { target_id: targetId, event_id: eventId, team_id: teamId };
    return (await this.transactions.repository(DeliveryEntity).findOneBy(where)) ?? undefined;
  }

  /** With what was sent and what came of it, all of the same moment. */
  async findWhole(teamId: string, targetId: string, eventId: string): Promise<WholeDelivery | undefined> {
    const rows = await this.transactions.query<
      DeliveryEntity & DeliveryAttemptEntity & { body: string; number: number | null }
    >(findWholeDelivery, [teamId, targetId, eventId]);
    const [delivery] = rows;
    if (!delivery) return undefined;
    const payload = JSON.parse(delivery.body) as EventEnvelope;
    return { delivery, payload, attempts: rows.filter(({ number }) => number !== null) };
  }

  private async page(
    teamId: string,
    targetId: string,
    filter: DeliveryFilter,
    total: string,
  ): Promise<Page<DeliveryEntity>> {
    const { status, limit, offset } = filter;
    const rows = await this.transactions.query<DeliveryEntity & { total: string }>(
      pageOfDeliveries(total, status !== undefined),
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
    const [row] = await this.transactions.query<DeliveryEntity>(renewDelivery, [teamId, targetId, eventId]);
    return row;
  }
}
