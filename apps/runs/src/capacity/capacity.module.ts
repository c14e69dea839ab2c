import { Module } from '@nestjs/common';
import { RunSlots } from '../run-core/claims/run-slots.js';
import { TeamLimits } from '../run-core/claims/team-limits.js';
import { RunMetrics } from './run-metrics/run-metrics.js';
import { ExecutorSlots, HeapGuard } from './slots/executor-slots.js';
import { StorageMeter } from './storage-meter/storage-meter.js';
import { PlanTeamLimits, TeamLimitsRepository } from './team-limits/plan-team-limits.js';
import { ConcurrencyRelease, TeamBudgetEvents } from './team-limits/team-budget.events.js';

/** Slots of this process, limits of teams, storage metering and metrics. Implements the ports of `run-core`. */
@Module({
  providers: [
    RunMetrics,
    HeapGuard,
    ExecutorSlots,
    { provide: RunSlots, useExisting: ExecutorSlots },
    StorageMeter,
    TeamBudgetEvents,
    ConcurrencyRelease,
    TeamLimitsRepository,
    PlanTeamLimits,
    { provide: TeamLimits, useExisting: PlanTeamLimits },
  ],
  exports: [ExecutorSlots, TeamLimitsRepository, PlanTeamLimits, RunSlots, TeamLimits],
})
export class CapacityModule {}
