import { Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { And, In, LessThan, MoreThanOrEqual } from 'typeorm';
import type { Month } from './billing-period.js';
import { noCounts, type Counts } from './counters.js';
import { DailyUsageEntity, TeamStorageEntity } from './usage-record.entities.js';
import { agentsOfMonth, countAgentsOfMonth, countUsage, storeMeasurements } from './usage-records.sql.js';

export interface NewUsage {
  readonly id: string;
  readonly team_id: string;
  readonly agent_id: string | null;
  readonly agent_name: string | null;
  /** Empty where no model was used. */
  readonly model: string;
  readonly occurred_at: string;
  readonly counts: Partial<Counts>;
}

export interface StorageMeasurement {
  readonly team_id: string;
  readonly bytes: number;
  readonly measured_at: string;
}

export interface UsageOfAgent {
  readonly agent_id: string;
  readonly name: string;
  readonly runs: string;
  readonly models: readonly { model: string; input_tokens: number; output_tokens: number }[];
}

@Injectable()
export class UsageRecordsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Inside a transaction. The teams for which something was counted that was not before. */
  async add(used: readonly NewUsage[]): Promise<string[]> {
    const records = used.map(({ counts, ...record }) => ({ ...record, ...noCounts, ...counts }));
    const teams = await this.transactions.query<{ team_id: string }>(countUsage, [JSON.stringify(records)]);
    return teams.map(({ team_id: teamId }) => teamId);
  }

  async storeMeasurements(measured: readonly StorageMeasurement[]): Promise<void> {
    await this.transactions.query(storeMeasurements, [JSON.stringify(measured)]);
  }

  /** The sums of a month's days, by day and model. */
  ofMonth(teamIds: readonly string[], { first, next }: Month): Promise<DailyUsageEntity[]> {
    return this.transactions.repository(DailyUsageEntity).find({
      where: { team_id: In([...teamIds]), day: And(MoreThanOrEqual(first), LessThan(next)) },
      order: { day: 'ASC', model: 'ASC' },
    });
  }

  /** Most tokens first. */
  async agentsOfMonth(teamId: string, { first }: Month, page: PageRequest): Promise<Page<UsageOfAgent>> {
    const items = await this.transactions.query<UsageOfAgent>(agentsOfMonth, [
      teamId,
      first,
      page.limit,
      page.offset,
    ]);
    const [row] = await this.transactions.query<{ count: string }>(countAgentsOfMonth, [teamId, first]);
    return { items, total: Number(row!.count), ...page };
  }

  async storedBytes(teamId: string): Promise<number> {
    const row = await this.transactions.repository(TeamStorageEntity).findOneBy({ team_id: teamId });
    return Number(row?.bytes ?? 0);
  }
}
