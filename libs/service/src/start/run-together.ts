import { EventEntries } from '@aos/events';
import { InProcessServices } from '@aos/messaging';
import { ConfigError, createLogger, Shutdown, startProcess, type Environment } from '@aos/platform';
import { startService, type RunningService, type StartOf } from './run-service.js';
import { loadServiceConfig, type ServiceConfig } from '../service-config.js';
import type { ServiceDefinition } from '../service-definition.js';
import type { ServiceSurroundings } from '../service-module.js';
import { prepareService } from './service-preparation.js';

/** A service that shares its process with others. */
export interface HostedService {
  readonly name: string;
  /** Reads its settings; throws where they are wrong. */
  load(env: Environment): LoadedService;
}

interface LoadedService {
  readonly name: string;
  readonly config: ServiceConfig;
  prepare(): Promise<void>;
  start(around: ServiceSurroundings): Promise<RunningService>;
}

export function hosted<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
  start: StartOf<Config> = startService,
): HostedService {
  const { name, configSchema } = definition;
  return {
    name,
    load: (env) => {
      const config = loadServiceConfig(name, configSchema, ownEnvironment(name, env));
      return {
        name,
        config,
        prepare: () => prepareService(definition, config),
        start: (around) => start(definition, config, { ...around, isPrepared: true }),
      };
    },
  };
}

/** The name of the process in its own log lines. */
const processName = 'together';

/**
 * The body of a `main.ts` that hosts several services in one process. The last one is in front: it ends before the
 * others do, so that nobody is served by half a program.
 */
export async function runTogether(
  services: readonly HostedService[],
  { env }: Pick<NodeJS.Process, 'env'>,
): Promise<void> {
  await startProcess({
    name: processName,
    start: async () => {
      const loaded = loadAll(services, env);
      const around = { neighbours: new InProcessServices(), eventEntries: EventEntries.shared() };
      const front = loaded.at(-1)!;
      // None takes up work while another still waits for its stores: until all have started the process ends without order.
      await Promise.all(loaded.map((service) => service.prepare()));
      // Side by side: each asks the others for events as soon as it is there.
      const running = await Promise.all(loaded.map((service) => service.start(around)));
      const inFront = running.pop()!;
      const { LOG_LEVEL: level, SHUTDOWN_GRACE_MS: graceMs } = front.config;
      // The front first, then the others, each with its own grace.
      const shutdown = new Shutdown(createLogger({ service: processName, level }), 2 * graceMs);
      shutdown.add('stop-intake', front.name, () => inFront.close());
      shutdown.add('drain', 'the services behind it', () =>
        Promise.all(running.map((service) => service.close())),
      );
      return { shutdown };
    },
  });
}

/** Loads the settings of all services; reports the problems of all at once. */
function loadAll(services: readonly HostedService[], env: Environment): LoadedService[] {
  const problems: string[] = [];
  const loaded = services.flatMap((service) => {
    try {
      return service.load(env);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
      return [];
    }
  });
  if (problems.length > 0) throw new ConfigError(processName, [...new Set(problems)]);
  return loaded;
}

/** Each service shows its health and metrics at a port of its own: `RUNS_HEALTH_PORT`. */
function ownEnvironment(service: string, env: Environment): Environment {
  const own = env[`${service.replaceAll('-', '_').toUpperCase()}_HEALTH_PORT`];
  return own === undefined ? env : { ...env, HEALTH_PORT: own };
}
