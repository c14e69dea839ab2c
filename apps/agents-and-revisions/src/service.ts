import { entitlementsModel } from '@aos/entitlements';
import type { ServiceDefinition } from '@aos/service';
import { AppModule } from './app.module.js';
import { agentsConfigSchema, type AgentsConfig } from './config/agents.config.js';
import { AgentEntity, TeamAgentCountEntity } from './agents/agent.entity.js';
import { AgentsAndBuilds1760000002000 } from './agents/agents.migrations.js';
import { BuilderRunEntity } from './builder-runs/builder-run.entity.js';
import {
  BuilderRuns1760000002400,
  LostWorkers1760000007620,
} from './builder-runs/builder-runs.migrations.js';
import { MemoryCounterEntity, MemoryFileEntity } from './memory-files/memory-file.entity.js';
import {
  MemoryFiles1760000002200,
  MemoryGenerations1760000009800,
} from './memory-files/memory-files.migrations.js';
import { BuildEntity } from './builds/build.entity.js';
import { RubricEntity } from './rubrics/rubric.entity.js';
import { EvalRubrics1760000002100 } from './rubrics/rubrics.migrations.js';
import { ScheduleEntity } from './schedules/schedule.entity.js';
import {
  EnabledOfTeam1760000007600,
  FailedRuns1760000005020,
  Schedules1760000002300,
} from './schedules/schedules.migrations.js';

export const service: ServiceDefinition<AgentsConfig> = {
  name: 'agents-and-revisions',
  configSchema: agentsConfigSchema,
  // What it learns from events is when an agent last ran and how a schedule's run ended: nobody waits for either.
  gatherEventsMs: 500,
  model: {
    entities: [
      AgentEntity,
      TeamAgentCountEntity,
      BuildEntity,
      RubricEntity,
      MemoryFileEntity,
      MemoryCounterEntity,
      ScheduleEntity,
      BuilderRunEntity,
      ...entitlementsModel.entities,
    ],
    migrations: [
      AgentsAndBuilds1760000002000,
      EvalRubrics1760000002100,
      MemoryFiles1760000002200,
      Schedules1760000002300,
      BuilderRuns1760000002400,
      FailedRuns1760000005020,
      ...entitlementsModel.migrations,
      EnabledOfTeam1760000007600,
      LostWorkers1760000007620,
      MemoryGenerations1760000009800,
    ],
  },
  modules: (config) => [AppModule.forRoot(config)],
};
