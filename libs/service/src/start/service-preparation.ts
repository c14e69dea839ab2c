import { createLogger, HealthRegistry, HealthServer } from '@aos/platform';
import { neededDatabases, neededRedis } from '../stores/needed-stores.js';
import type { ServiceConfig } from '../service-config.js';
import type { ServiceDefinition } from '../service-definition.js';
import { databaseOf, prepareTables, redisOf } from '../service-module.js';
import { untilReached } from '../stores/store-waits.js';

/**
 * Waits until the stores of a service are there, and sees to its tables. Meanwhile the process is alive and not ready,
 * and says so where its health is asked for: else a supervisor would end what only waits.
 */
export async function prepareService<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
  config: Config,
): Promise<void> {
  const { name } = definition;
  const logger = createLogger({ service: name, level: config.LOG_LEVEL });
  const health = new HealthRegistry(logger);
  const stores = [...neededDatabases(databaseOf(name, config)), neededRedis(redisOf(config))];
  const waits = stores.map((store) => ({ store, isThere: health.hold(store.name) }));
  const areMade = health.hold('tables');
  const server = new HealthServer(health, undefined, logger);
  if (config.HEALTH_PORT !== 0) await server.listen(config.HEALTH_PORT, config.HEALTH_HOST);
  try {
    await Promise.all(
      waits.map(async ({ store, isThere }) => {
        await untilReached(store, logger);
        isThere();
      }),
    );
    await prepareTables(definition, config);
    areMade();
  } finally {
    await server.close();
  }
}
