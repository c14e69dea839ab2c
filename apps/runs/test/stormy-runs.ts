import type { RunningService } from '@aos/service';
import {
  createTestDatabase,
  eventually,
  startEmbedded,
  startTestClient,
  testEnvironment,
  type EmbeddedStores,
  type SeededRandom,
  type ServiceProcess,
  type TestClient,
  type TestDatabase,
} from '@aos/testing';
import { Redis } from 'ioredis';
import { runsClient, startAgentsService, startWorker, type RunsClient } from './runs-under-test.js';

export const maxStormMs = 240_000;

/** Two workers of runs on stores of their own, any of which may go away. */
export class StormyRuns {
  /** Also those that are gone. */
  private readonly everyWorker: ServiceProcess[];

  private constructor(
    private readonly stores: EmbeddedStores,
    readonly database: TestDatabase,
    private readonly environment: Record<string, string>,
    private readonly client: TestClient,
    private readonly agents: RunningService,
    private readonly workers: (ServiceProcess | undefined)[],
    readonly runs: RunsClient,
  ) {
    this.everyWorker = workers.filter((worker) => worker !== undefined);
  }

  static async start(): Promise<StormyRuns> {
    const stores = await startEmbedded();
    const database = await createTestDatabase([], stores.databaseUrl);
    const environment = testEnvironment({
      DATABASE_URL: database.url,
      REDIS_URL: stores.redisUrl,
      RUN_LEASE_MS: '3000',
      RPC_TIMEOUT_MS: '3000',
      // Printed on failure, since the stores are gone by then.
      LOG_LEVEL: 'error',
    });
    const agents = await startAgentsService(environment);
    const workers = await Promise.all([startWorker(environment), startWorker(environment)]);
    const client = startTestClient(environment);
    const runs = runsClient(client.services, database);
    return new StormyRuns(stores, database, environment, client, agents, workers, runs);
  }

  /** One that is not back yet is left alone. */
  async killOne(random: SeededRandom): Promise<void> {
    const place = random.whole(0, this.workers.length - 1);
    const worker = this.workers[place];
    if (!worker) return;
    this.workers[place] = undefined;
    worker.signal('SIGKILL');
    await worker.exited;
    // Postgres may be away just now.
    const next = await eventually(() => startWorker(this.environment), { timeoutMs: maxStormMs });
    this.workers[place] = next;
    this.everyWorker.push(next);
  }

  /** Errors that workers have logged of a run. */
  logOf(runId: string): string[] {
    const lines = this.everyWorker.flatMap((worker) => worker.output().split('\n'));
    return lines.filter((line) => line.includes(runId));
  }

  emptyRedis(): Promise<unknown> {
    return this.onRedis((redis) => redis.flushall());
  }

  /** As an operator, beside the services. `prefix` is that of all their keys. */
  async onRedis<T>(work: (redis: Redis, prefix: string) => Promise<T>): Promise<T> {
    const redis = new Redis(this.stores.redisUrl);
    try {
      return await work(redis, this.environment['REDIS_PREFIX']!);
    } finally {
      redis.disconnect();
    }
  }

  async restartPostgres(): Promise<void> {
    await this.stores.postgres.kill();
    await this.stores.postgres.start();
  }

  async stop(): Promise<void> {
    this.client.close();
    await Promise.all([this.agents.close(), ...this.workers.map((worker) => worker?.stop())]);
    await this.database.drop();
    await this.stores.stop();
  }
}
