import 'reflect-metadata';
import { gatewayConfigSchema, gatewayService, startGateway } from '@aos/gateway';
import { startProcess } from '@aos/platform';
import { loadServiceConfig } from '@aos/service-host';
// Not the whole library: its stores and servers are no part of a gateway.
import { fixtureTable } from '@aos/testing/fixture';

// The gateway of the product; only its table has the fixture's operations too.
await startProcess({
  name: 'gateway',
  start: async () => {
    const { app, shutdown } = await startGateway(
      gatewayService(fixtureTable),
      loadServiceConfig('gateway', gatewayConfigSchema, process.env),
    );
    return { shutdown, close: () => app.close() };
  },
});
