import { storageMeasured, type BusEvent, type TypedBusEvent } from '@aos/contracts';
import { Consumes, ConsumesAsRecorded } from '@aos/events';
import { Injectable } from '@nestjs/common';
import { BudgetWatch } from '../budgets/budget-watch.js';
import { UsageRecordsRepository, type NewUsage } from '../usage-records/usage-records.repository.js';
import { meteredEvents, usageOf } from './metered-events.js';
import { sumsOfUsage } from './sums-of-usage.js';

/** Counts what teams use, in the transaction that moves the position in the source's log: each event once. */
@Injectable()
export class Metering {
  constructor(
    private readonly records: UsageRecordsRepository,
    private readonly budgets: BudgetWatch,
  ) {}

  @ConsumesAsRecorded(...meteredEvents)
  async count(events: readonly BusEvent[]): Promise<void> {
    const used = events.map(usageOf).filter((usage): usage is NewUsage => usage !== undefined);
    if (used.length === 0) return;
    await this.budgets.check(await this.records.add(sumsOfUsage(used)));
  }

  @Consumes(storageMeasured)
  async measure(events: readonly TypedBusEvent<typeof storageMeasured>[]): Promise<void> {
    const measured = events.flatMap(({ meta, data, created_at: measuredAt }) =>
      meta.team_id === null ? [] : [{ team_id: meta.team_id, bytes: data.bytes, measured_at: measuredAt }],
    );
    if (measured.length > 0) await this.records.storeMeasurements(measured);
  }
}
