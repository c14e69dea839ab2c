import { loadServiceConfig } from '@aos/service-host';
import { createTestDatabase, testEnvironment, type TestDatabase } from '@aos/testing';
import { gatewayConfigSchema, type GatewayConfig } from '../src/gateway.config.js';
import { gatewayService, startGateway } from '../src/gateway.service.js';

export interface GatewayInProcess {
  readonly url: string;
  readonly database: TestDatabase;
  stop(): Promise<void>;
}

export function gatewayConfig(overrides: Record<string, string>): GatewayConfig {
  return loadServiceConfig('gateway', gatewayConfigSchema, testEnvironment(overrides));
}

/** The gateway in this process, on a database of its own and a port that the system chose. */
export async function startGatewayInProcess(): Promise<GatewayInProcess> {
  const database = await createTestDatabase([]);
  const config = { ...gatewayConfig({ DATABASE_URL: database.url }), PORT: 0 };
  const { port, close } = await startGateway(gatewayService(), config);
  return {
    url: `http://127.0.0.1:${port}`,
    database,
    stop: async () => {
      await close();
      await database.drop();
    },
  };
}
