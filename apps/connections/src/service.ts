import { defineService } from '@aos/service-host';

export const service = defineService({
  name: 'connections',
  model: { entities: [], migrations: [] },
  modules: [],
});
