import { teamPlanSet, type TypedBusEvent } from '@aos/contracts';
import { Consumes } from '@aos/events';
import { Injectable } from '@nestjs/common';
import { Entitlements } from './entitlements.js';

/** Keeps the copy of the plans. */
@Injectable()
export class TeamPlanEvents {
  constructor(private readonly entitlements: Entitlements) {}

  @Consumes(teamPlanSet)
  async set(events: readonly TypedBusEvent<typeof teamPlanSet>[]): Promise<void> {
    for (const { data } of events) await this.entitlements.setPlan(data.team_id, data.plan);
  }
}
