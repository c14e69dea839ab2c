import { defineService } from '@aos/service-host';

export const service = defineService({
  name: 'runs',
  model: { entities: [], migrations: [] },
  modules: [],
});
