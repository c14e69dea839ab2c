import { entitlementsModel } from '@aos/entitlements';
import type { ServiceDefinition } from '@aos/service';
import { AppModule } from './app.module.js';
import { connectionsConfigSchema, type ConnectionsConfig } from './config/connections.config.js';
import { ConnectionEntity } from './connections/connection.entity.js';
import { OAuthFlowEntity } from './oauth-flows/oauth-flow.entity.js';
import { connectionTables } from './connections.tables.sql.js';

export const service: ServiceDefinition<ConnectionsConfig> = {
  name: 'connections',
  configSchema: connectionsConfigSchema,
  model: {
    entities: [ConnectionEntity, OAuthFlowEntity, ...entitlementsModel.entities],
    tables: [...connectionTables, ...entitlementsModel.tables],
  },
  modules: (config) => [AppModule.forRoot(config)],
};
