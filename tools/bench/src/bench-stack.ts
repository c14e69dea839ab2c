import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@aos/local-infra';
import { appEntry, startEmbedded, startServiceProcess } from '@aos/testing';
import { profileFlags } from './profiles.js';

/** Services in production mode on embedded stores of their own. */
export interface BenchStack {
  readonly base: string;
  readonly adminKey: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** The processes of each service. */
  readonly pids: ReadonlyMap<string, readonly number[]>;
  /** Where the stores come from. */
  readonly origin: string;
  stop(): Promise<void>;
}

export async function startBenchStack(
  services: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<BenchStack> {
  const stores = await startEmbedded();
  const adminKey = `aos_admin_${randomBytes(32).toString('base64url')}`;
  const port = await findFreePort();
  const filesDir = await mkdtemp(join(tmpdir(), 'aos-bench-files-'));
  const environment = {
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    REDIS_ALLOW_NO_PASSWORD: 'true',
    REDIS_PREFIX: 'bench',
    SECRETS_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    FILES_DIR: filesDir,
    PORT: String(port),
    ADMIN_KEY: adminKey,
    RATE_LIMIT_PER_MINUTE: '10000000',
    ...settings,
  };
  const processes = await Promise.all(
    services.map((service) => startServiceProcess(appEntry(service), environment, profileFlags())),
  );
  return {
    base: `http://127.0.0.1:${port}`,
    adminKey,
    environment,
    databaseUrl: stores.databaseUrl,
    redisUrl: stores.redisUrl,
    pids: new Map(services.map((service, index) => [service, [processes[index]!.pid]])),
    origin: stores.origin,
    stop: async () => {
      await Promise.all(processes.map((service) => service.stop()));
      await stores.stop();
      await rm(filesDir, { recursive: true, force: true });
    },
  };
}
