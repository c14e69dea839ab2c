import 'reflect-metadata';
import { RpcServer } from '@aos/messaging';
import { createLogger, NestLogger, runToEnd, Shutdown, startProcess } from '@aos/platform';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import {
  loadServiceConfig,
  migrationConfigSchema,
  type MigrationConfig,
  type ServiceConfig,
} from '../service-config.js';
import type { ServiceDefinition } from '../service-definition.js';
import {
  databaseOf,
  migrateService,
  prepareTables,
  ServiceModule,
  type ServiceSurroundings,
} from '../service-module.js';
import { provision } from '../provision/provision.js';
import { neededDatabases } from '../stores/needed-stores.js';
import { prepareService } from './service-preparation.js';
import { untilReached } from '../stores/store-waits.js';

export interface RunningService {
  readonly app: INestApplicationContext;
  readonly shutdown: Shutdown;
  close(): Promise<void>;
}

/** How a service is started in this process. */
export type StartOf<Config extends ServiceConfig> = (
  definition: ServiceDefinition<Config>,
  config: Config,
  around: ServiceSurroundings,
) => Promise<RunningService>;

/** Starts a service in this process. */
export async function startService<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
  config: Config,
  around: ServiceSurroundings = {},
): Promise<RunningService> {
  if (!around.isPrepared) await prepareTables(definition, config);
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(
    ServiceModule.forRoot(definition, config, around),
    {
      inject: [RpcServer],
      useFactory: (strategy: RpcServer) => ({ strategy }),
      bufferLogs: true,
      // Nest would end the process before the reason is logged.
      abortOnError: false,
    },
  );
  app.useLogger(app.get(NestLogger));
  const shutdown = app.get(Shutdown);
  const close = async (reason: string) => {
    await shutdown.run(reason);
    await app.close();
  };
  try {
    await app.listen();
  } catch (error) {
    await close('could not start');
    throw error;
  }
  return { app, shutdown, close: () => close('closed') };
}

/**
 * A process that does one thing for a service, with everything the service is made of: it takes no requests, jobs or
 * events, and follows no log.
 */
export async function startHelper<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
  config: Config,
): Promise<RunningService> {
  const module = ServiceModule.forRoot(definition, config, { sharesWork: false });
  const app = await NestFactory.createApplicationContext(module, { bufferLogs: true, abortOnError: false });
  app.useLogger(app.get(NestLogger));
  const shutdown = app.get(Shutdown);
  const close = async () => {
    await shutdown.run('closed');
    await app.close();
  };
  return { app, shutdown, close };
}

/** The argument with which a service only brings its tables up to date, and ends. */
const migrateCommand = 'migrate';
/** The argument with which any service gives all roles their accounts at the stores, and ends. */
const provisionCommand = 'provision';

/** The body of a service's `main.ts`. */
export async function runService<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
  { env, argv }: Pick<NodeJS.Process, 'env' | 'argv'>,
  start: StartOf<Config> = startService,
): Promise<void> {
  const { name, configSchema } = definition;
  const load = () => loadServiceConfig(name, configSchema, env);
  if (argv[2] === migrateCommand) {
    // The program that migrates is trusted with the tables of its service, and needs nothing else.
    const settings = () => loadServiceConfig(name, migrationConfigSchema, env);
    await runToEnd({ name, work: () => migrateAlone(definition, settings()) });
    return;
  }
  if (argv[2] === provisionCommand) {
    await runToEnd({ name: provisionCommand, work: () => provision(env) });
    return;
  }
  await startProcess({
    name,
    start: async () => {
      const config = load();
      await prepareService(definition, config);
      const { shutdown, app } = await start(definition, config, { isPrepared: true });
      return { shutdown, close: () => app.close() };
    },
  });
}

async function migrateAlone(
  definition: Pick<ServiceDefinition, 'name' | 'model'>,
  config: MigrationConfig,
): Promise<void> {
  const logger = createLogger({ service: definition.name, level: config.LOG_LEVEL });
  for (const database of neededDatabases(databaseOf(definition.name, config))) {
    await untilReached(database, logger);
  }
  const migrations = await migrateService(definition, config);
  logger.info({ migrations }, 'schema is up to date');
  await logger.flush();
}
