import { defineService } from '@aos/service-host';

export const service = defineService({
  name: 'agents-and-revisions',
  model: { entities: [], migrations: [] },
  modules: [],
});
