import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from './problem.js';

/** Where the product is. */
export interface Surroundings {
  readonly dataDir: string;
  readonly redisUrl: string | undefined;
  readonly redisPrefix: string;
  readonly secretsKeys: string | undefined;
  /** The database of a service, which may be its own. */
  databaseOf(service: string): string;
  /** The processes that `npm start` has here. */
  processesOf(service: string): readonly number[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** By the environment, else by what `npm start` keeps. */
export function surroundingsOf(env: Environment): Surroundings {
  const dataDir = env['AOS_DATA_DIR'] ?? '.data';
  const stored = (file: string) => storedIn(dataDir, file);
  const processes = stored('processes.json') as {
    database_url?: string;
    redis_url?: string;
    services?: Record<string, number[]>;
  };
  return {
    dataDir,
    redisUrl: env['REDIS_URL'] ?? processes.redis_url,
    redisPrefix: env['REDIS_PREFIX'] ?? 'aos',
    secretsKeys: env['SECRETS_KEYS'] ?? (stored('secrets.json') as { secrets_keys?: string }).secrets_keys,
    databaseOf: (service) => {
      const own = env[`${service.replaceAll('-', '_').toUpperCase()}_DATABASE_URL`];
      const url = own ?? env['DATABASE_URL'] ?? processes.database_url;
      if (url) return url;
      throw new Problem('DATABASE_URL is not set, and no product was started here that would tell it.', 78);
    },
    // Read again each time: a process that has ended has a successor.
    processesOf: (service) =>
      (stored('processes.json') as { services?: Record<string, number[]> }).services?.[service] ?? [],
  };
}

function storedIn(dataDir: string, file: string): object {
  try {
    return JSON.parse(readFileSync(join(dataDir, file), 'utf8')) as object;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
