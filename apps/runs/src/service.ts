import type { ServiceDefinition } from '@aos/service-host';
import { DeletedAgentEntity } from './deleted-agents/deleted-agent.entity.js';
import { HumanRequestEntity } from './human-requests/human-request.entity.js';
import { HumanRequests1760000003100 } from './human-requests/human-requests.migrations.js';
import { RunMessageEntity } from './messages/message.entity.js';
import { ReportsModule } from './reports/reports.module.js';
import { RunStepEntity } from './reports/run-step.entity.js';
import { RunEventEntity } from './run-events/run-event.entity.js';
import { RunTallyEntity, RunTitleEntity } from './run-list/run-list.entities.js';
import { RunList1760000003200 } from './run-list/run-list.migrations.js';
import { RunListModule } from './run-list/run-list.module.js';
import { runsConfigSchema, type RunsConfig } from './runs.config.js';
import { BuildCopyEntity } from './runs/build-copy.entity.js';
import { RunCallbacks1760000003300 } from './runs/run-callbacks.migrations.js';
import { RunEntity } from './runs/run.entity.js';
import { Runs1760000003000 } from './runs/runs.migrations.js';
import { RunsModule } from './runs/runs.module.js';
import { ScheduledStartEntity } from './scheduled-starts/scheduled-start.entity.js';

export const service: ServiceDefinition<RunsConfig> = {
  name: 'runs',
  configSchema: runsConfigSchema,
  model: {
    entities: [
      RunEntity,
      BuildCopyEntity,
      RunMessageEntity,
      RunStepEntity,
      RunEventEntity,
      HumanRequestEntity,
      RunTallyEntity,
      RunTitleEntity,
      DeletedAgentEntity,
      ScheduledStartEntity,
    ],
    migrations: [
      Runs1760000003000,
      HumanRequests1760000003100,
      RunList1760000003200,
      RunCallbacks1760000003300,
    ],
  },
  modules: (config) => [RunsModule.forRoot(config), RunListModule, ReportsModule],
};
