import { Module } from '@nestjs/common';
import { FreedRuns } from './freed-runs.js';
import { TeamBudgetEvents } from './team-budget.events.js';
import { TeamLimitsModule } from './team-limits.module.js';

/** What changes the limits, and what they wait for. Apart from them: it needs the core, which needs them. */
@Module({ imports: [TeamLimitsModule], providers: [TeamBudgetEvents, FreedRuns] })
export class TeamLimitEventsModule {}
