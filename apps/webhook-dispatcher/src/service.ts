import { defineService } from '@aos/service-host';

export const service = defineService({
  name: 'webhook-dispatcher',
  model: { entities: [], migrations: [] },
  modules: [],
});
