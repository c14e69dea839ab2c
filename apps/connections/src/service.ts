import { entitlementsModel } from '@aos/entitlements';
import type { ServiceDefinition } from '@aos/service';
import { AppModule } from './app.module.js';
import { connectionsConfigSchema, type ConnectionsConfig } from './config/connections.config.js';
import { ConnectionEntity } from './connections/connection.entity.js';
import {
  Connections1760000006000,
  Drafts1760000007610,
  SecretAddresses1760000009800,
} from './connections/connections.migrations.js';
import { OAuthFlowEntity } from './oauth-flows/oauth-flow.entity.js';
import { OAuthFlows1760000006100 } from './oauth-flows/oauth-flows.migrations.js';

export const service: ServiceDefinition<ConnectionsConfig> = {
  name: 'connections',
  configSchema: connectionsConfigSchema,
  model: {
    entities: [ConnectionEntity, OAuthFlowEntity, ...entitlementsModel.entities],
    migrations: [
      Connections1760000006000,
      OAuthFlows1760000006100,
      ...entitlementsModel.migrations,
      Drafts1760000007610,
      SecretAddresses1760000009800,
    ],
  },
  modules: (config) => [AppModule.forRoot(config)],
};
