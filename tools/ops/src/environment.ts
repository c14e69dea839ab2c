import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RedisSettings } from '@aos/messaging';
import { withoutPooler, type DatabaseSettings } from '@aos/persistence';
import { ConfigError } from '@aos/platform';
import {
  databaseConfigSchema,
  databaseOf,
  loadServiceConfig,
  messagingConfigSchema,
  redisOf,
} from '@aos/service';
import { Problem } from './problem.js';

/** The way to the services: Redis, and the keys that seal what goes over it. */
export interface MessagingSettings {
  readonly redis: RedisSettings;
  readonly secretsKeys: string;
}

/** Where the product is. */
export interface Surroundings {
  /** None where they are not told, which who only reads tables need not know. */
  readonly secretsKeys: string | undefined;
  messaging(): MessagingSettings;
  /** The database of a service, which may be its own; around a pooler, if there is one. */
  databaseOf(service: string): DatabaseSettings;
  /** The processes that `npm start` has here. */
  processesOf(service: string): readonly number[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

interface StoredProcesses {
  readonly database_url?: string;
  readonly redis_url?: string;
  readonly services?: Readonly<Record<string, number[]>>;
}

/** By the environment, read as the services read theirs, else by what `npm start` keeps. */
export function surroundingsOf(env: Environment): Surroundings {
  const dataDir = env['AOS_DATA_DIR'] ?? '.data';
  const processes = (): StoredProcesses => storedIn(dataDir, 'processes.json');
  const { database_url: databaseUrl, redis_url: redisUrl } = processes();
  const { secrets_keys: secretsKeys } = storedIn(dataDir, 'secrets.json') as { secrets_keys?: string };
  const settings: Record<string, string> = {
    ...setIn({ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, SECRETS_KEYS: secretsKeys }),
    ...setIn(env),
    // Whether Redis may do without a password is decided where services start.
    REDIS_ALLOW_NO_PASSWORD: 'true',
  };
  return {
    secretsKeys: settings['SECRETS_KEYS'],
    messaging: () => {
      const config = readOrTell(() => loadServiceConfig('ops', messagingConfigSchema, settings));
      return { redis: redisOf(config), secretsKeys: config.RPC_KEYS ?? config.SECRETS_KEYS };
    },
    databaseOf: (service) => {
      const config = readOrTell(() => loadServiceConfig(service, databaseConfigSchema, settings));
      return withoutPooler(databaseOf(service, config));
    },
    // Read again each time: a process that has ended has a successor.
    processesOf: (service) => processes().services?.[service] ?? [],
  };
}

/** An empty variable counts as unset, as it does with the services. */
function setIn(values: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}

/** Settings that cannot be used are the operator's to set right. */
function readOrTell<Config>(read: () => Config): Config {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const heading = 'The product is not found by its settings, nor by what npm start keeps in AOS_DATA_DIR:';
    throw new Problem([heading, ...error.problems].join('\n  '), 78);
  }
}

function storedIn(dataDir: string, file: string): object {
  try {
    return JSON.parse(readFileSync(join(dataDir, file), 'utf8')) as object;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
