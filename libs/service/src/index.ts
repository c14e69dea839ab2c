export { listAnswer } from './operations/list-answer.js';
export { passingRefusal } from './operations/refusals.js';
export { provision } from './provision/provision.js';
export { roleSetting } from './provision/provision-config.js';
export { runService, startHelper, startService, type RunningService } from './start/run-service.js';
export { hosted, runTogether, type HostedService } from './start/run-together.js';
export {
  databaseConfigSchema,
  loadServiceConfig,
  messagingConfigSchema,
  serviceConfigSchema,
  type ServiceConfig,
} from './service-config.js';
export { foundation } from './foundation/foundation.js';
export { defineService, type ServiceDefinition, type ServiceModel } from './service-definition.js';
export {
  databaseOf,
  migrateService,
  modelOf,
  prepareTables,
  redisOf,
  ServiceModule,
  type ServiceSurroundings,
} from './service-module.js';
