import { Module } from '@nestjs/common';
import { CaseCoreModule } from '../case-core.module.js';
import { TeamLimitsModule } from '../../capacity/team-limits/team-limits.module.js';
import { PlanUseHandlers } from './plan-use.handlers.js';

/** What billing asks about how much of its plan a team uses. */
@Module({ imports: [TeamLimitsModule, CaseCoreModule], controllers: [PlanUseHandlers] })
export class PlanUseModule {}
