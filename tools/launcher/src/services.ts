import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName, serviceNames } from '@aos/contracts';
import type { LauncherConfig } from './config.js';
import type { Secrets } from './credentials.js';
import type { ServiceOutput } from './service-output.js';
import { ServiceUnit } from './service-unit.js';
import { StartError } from './start-error.js';
import type { StoreUrls } from './stores.js';

export type EntryOf = (service: ServiceName) => string;

export function builtEntries(root: string): EntryOf {
  return (service) => join(root, 'apps', service, 'dist', 'main.js');
}

export interface ServicePlan {
  config: LauncherConfig;
  secrets: Secrets;
  urls: StoreUrls;
  entryOf: EntryOf;
  env: NodeJS.ProcessEnv;
  output: ServiceOutput;
  /** While true, the gateway is told to hold back its readiness until the first set-up is done. */
  isSetupPending: () => boolean;
  onReady: (unit: ServiceUnit) => void;
}

/** Every process of every service, in the order in which they are started. */
export function planServices(plan: ServicePlan): ServiceUnit[] {
  const missing = serviceNames.filter((service) => !existsSync(plan.entryOf(service)));
  if (missing.length > 0) throw new StartError([`not built: ${missing.join(', ')}; run npm run build`]);
  return serviceNames.flatMap((service) =>
    Array.from({ length: plan.config.replicas[service] }, (_, index) => planUnit(plan, service, index)),
  );
}

function planUnit(plan: ServicePlan, service: ServiceName, index: number): ServiceUnit {
  const unit: ServiceUnit = new ServiceUnit({
    service,
    name: index === 0 ? service : `${service}-${index + 1}`,
    entry: plan.entryOf(service),
    env: () => environmentOf(plan, service, index),
    onOutput: plan.output.sink(service),
    onReady: () => plan.onReady(unit),
  });
  return unit;
}

export function environmentOf(
  { config, secrets, urls, env, isSetupPending }: Omit<ServicePlan, 'entryOf' | 'output' | 'onReady'>,
  service: ServiceName,
  index: number,
): NodeJS.ProcessEnv {
  const { HOST: _host, PORT: _port, ...inherited } = env;
  return {
    ...inherited,
    NODE_ENV: 'production',
    DATABASE_URL: urls.databaseUrl,
    REDIS_URL: urls.redisUrl,
    SECRETS_KEYS: config.secretsKeys ?? secrets.secrets_keys,
    ADMIN_KEY: secrets.admin_key,
    PUBLIC_BASE_URL: config.publicBaseUrl,
    AOS_DATA_DIR: config.dataDir,
    FILES_DIR: env['FILES_DIR'] ?? join(config.dataDir, 'files'),
    LOG_LEVEL: config.logLevel,
    ...(service === 'gateway'
      ? {
          HOST: config.host,
          PORT: String(config.port + index),
          READY_AFTER_SETUP: String(isSetupPending()),
        }
      : {}),
  };
}
