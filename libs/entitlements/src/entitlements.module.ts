import { Module, type DynamicModule } from '@nestjs/common';
import { Entitlements, EntitlementSettings } from './entitlements.js';
import { TeamPlanEvents } from './team-plan.events.js';
import { TeamPlanEntity } from './team-plan.entity.js';
import { teamPlanTables } from './team-plans.tables.sql.js';

/** What the plans of teams allow, for the services that make what is limited. */
@Module({})
export class EntitlementsModule {
  static forRoot(settings: EntitlementSettings): DynamicModule {
    return {
      module: EntitlementsModule,
      global: true,
      providers: [{ provide: EntitlementSettings, useValue: settings }, Entitlements, TeamPlanEvents],
      exports: [Entitlements],
    };
  }
}

/** The table behind it, to be listed with the service's own. */
export const entitlementsModel = {
  entities: [TeamPlanEntity],
  tables: teamPlanTables,
} as const;
