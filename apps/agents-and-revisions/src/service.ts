import { entitlementsModel } from '@aos/entitlements';
import type { ServiceDefinition } from '@aos/service';
import { AppModule } from './app.module.js';
import { agentsConfigSchema, type AgentsConfig } from './config/agents.config.js';
import { AgentEntity, TeamAgentCountEntity } from './agents/agent.entity.js';
import { BuilderRunEntity } from './builder-runs/builder-run.entity.js';
import { MemoryCounterEntity, MemoryFileEntity } from './memory-files/memory-file.entity.js';
import { BuildEntity } from './builds/build.entity.js';
import { RubricEntity } from './rubrics/rubric.entity.js';
import { ScheduleEntity } from './schedules/schedule.entity.js';
import { agentTables } from './agents-and-revisions.tables.sql.js';

export const service: ServiceDefinition<AgentsConfig> = {
  name: 'agents-and-revisions',
  configSchema: agentsConfigSchema,
  // Events bring the last run of an agent and the end of scheduled runs: neither is urgent.
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
    tables: [...agentTables, ...entitlementsModel.tables],
  },
  modules: (config) => [AppModule.forRoot(config)],
};
