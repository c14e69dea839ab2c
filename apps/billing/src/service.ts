import { defineService } from '@aos/service-host';

export const service = defineService({
  name: 'billing',
  model: { entities: [], migrations: [] },
  modules: [],
});
