import { defineService } from '@aos/service-host';
import { PluginCatalogModule } from './plugin-catalog/plugin-catalog.module.js';

export const service = defineService({
  name: 'connections',
  model: { entities: [], migrations: [] },
  modules: [PluginCatalogModule],
});
