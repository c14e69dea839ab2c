import 'reflect-metadata';
import { startProcess } from '@aos/platform';
import { loadServiceConfig } from '@aos/service-host';
import { gatewayConfigSchema } from './gateway.config.js';
import { gatewayService, startGateway } from './gateway.service.js';

await startProcess({
  name: 'gateway',
  start: async () => {
    const { app, shutdown } = await startGateway(
      gatewayService(),
      loadServiceConfig('gateway', gatewayConfigSchema, process.env),
    );
    return { shutdown, close: () => app.close() };
  },
});
