import { join } from 'node:path';
import { type ServiceName, serviceNames } from '@aos/contracts/services';
import { memoryEnvironment } from '@aos/local-infra';
import type { LauncherConfig } from './config.js';
import type { Secrets } from './credentials.js';
import type { StoreUrls } from './stores.js';

export interface EnvironmentPlan {
  config: LauncherConfig;
  secrets: Secrets;
  urls: StoreUrls;
  /** What `npm start` itself was given. */
  env: NodeJS.ProcessEnv;
  /** While true, the gateway is told to hold back its readiness until the first set-up is done. */
  isSetupPending: () => boolean;
}

export interface ServiceProcessPlace {
  service: ServiceName;
  /** 0 for the first of several. */
  index: number;
  metricsPort: number;
}

const filesOwners: readonly ServiceName[] = ['gateway', 'runs'];
const modelOwners: readonly ServiceName[] = ['agents-and-revisions', 'runs'];

/** Who is given what must not be known to more than need it. What is not named here goes to every service. */
const owners: Readonly<Record<string, readonly ServiceName[]>> = {
  ADMIN_KEY: ['gateway'],
  S3_ACCESS_KEY_ID: filesOwners,
  S3_SECRET_ACCESS_KEY: filesOwners,
  OPENAI_API_KEY: modelOwners,
  ANTHROPIC_API_KEY: modelOwners,
  COMPATIBLE_API_KEY: modelOwners,
  ...Object.fromEntries(serviceNames.map((service) => [ownVariable(service, 'DATABASE_URL'), [service]])),
};

/** Of the launcher alone: each service has its own, or none. */
const notInherited = ['HOST', 'PORT', 'HEALTH_PORT', 'HEALTH_HOST'];

/**
 * Connections of a service to Postgres, in the process that hosts them all and in one of its own. A session takes 3 to
 * 10 MiB, and on one machine more of them serve fewer runs: what few of them write goes together.
 */
const connections = { together: 4, alone: 6 };

/**
 * Events of a service in the embedded Redis, whose memory is that of this machine: about a kilobyte each. Consumers are at
 * most a second behind, in which two cores make half as many.
 */
const eventStreamLength = 6_000;

/** The environment of a process that hosts one service. */
export function environmentOf(
  plan: EnvironmentPlan,
  { service, index, metricsPort }: ServiceProcessPlace,
): NodeJS.ProcessEnv {
  const isFor = (name: string) => owners[name]?.includes(service) ?? true;
  return {
    DATABASE_POOL_SIZE: String(connections.alone),
    ...Object.fromEntries(Object.entries(sharedEnvironment(plan)).filter(([name]) => isFor(name))),
    HEALTH_PORT: String(metricsPort),
    ...(service === 'gateway' ? listening(plan, index) : {}),
  };
}

/** The environment of the process that hosts them all: what one may know, all may. */
export function environmentTogether(
  plan: EnvironmentPlan,
  metricsPorts: ReadonlyMap<ServiceName, number>,
): NodeJS.ProcessEnv {
  const ports = [...metricsPorts].map(([service, port]) => [
    ownVariable(service, 'HEALTH_PORT'),
    String(port),
  ]);
  return {
    DATABASE_POOL_SIZE: String(connections.together),
    ...sharedEnvironment(plan),
    ...Object.fromEntries(ports),
    ...listening(plan, 0),
  };
}

function sharedEnvironment({ config, secrets, urls, env }: EnvironmentPlan): NodeJS.ProcessEnv {
  const inherited = Object.entries(env).filter(([name]) => !notInherited.includes(name));
  return {
    ...memoryEnvironment,
    ...(config.redisUrl === undefined ? { EVENT_STREAM_LENGTH: String(eventStreamLength) } : {}),
    ...Object.fromEntries(inherited),
    NODE_ENV: 'production',
    DATABASE_URL: urls.databaseUrl,
    REDIS_URL: urls.redisUrl,
    REDIS_ALLOW_NO_PASSWORD: env['REDIS_ALLOW_NO_PASSWORD'] ?? 'true',
    SECRETS_KEYS: config.secretsKeys ?? secrets.secrets_keys,
    ADMIN_KEY: secrets.admin_key,
    PUBLIC_BASE_URL: config.publicBaseUrl,
    AOS_DATA_DIR: config.dataDir,
    FILES_DIR: env['FILES_DIR'] ?? join(config.dataDir, 'files'),
    LOG_LEVEL: config.logLevel,
    HEALTH_HOST: '127.0.0.1',
  };
}

function listening({ config, isSetupPending }: EnvironmentPlan, index: number): NodeJS.ProcessEnv {
  return {
    HOST: config.host,
    PORT: String(config.port + index),
    READY_AFTER_SETUP: String(isSetupPending()),
  };
}

/** `RUNS_DATABASE_URL` gives one service a database of its own. */
function ownVariable(service: ServiceName, name: string): string {
  return `${service.replaceAll('-', '_').toUpperCase()}_${name}`;
}
