import type { RunningService } from '@aos/service';
import {
  createProductDatabase,
  startTcpProxy,
  startTestClient,
  testEnvironment,
  type ServiceProcess,
  type TcpProxy,
  type TestClient,
  type TestDatabase,
} from '@aos/testing';
import { RunTraffic } from './run-traffic.js';
import { runsClient, startAgentsService, startWorker } from './runs-under-test.js';

/** A worker of runs that reaches a store through a proxy, beside some that need none. */
export class DistantRuns {
  private constructor(
    readonly database: TestDatabase,
    readonly proxy: TcpProxy,
    readonly traffic: RunTraffic,
    private readonly client: TestClient,
    private readonly agents: RunningService,
    private readonly workers: readonly ServiceProcess[],
  ) {}

  static async start({
    near = 0,
    from = 'Postgres',
  }: { near?: number; from?: 'Postgres' | 'Redis' } = {}): Promise<DistantRuns> {
    const database = await createProductDatabase();
    const environment = testEnvironment({
      DATABASE_URL: database.url,
      RUN_LEASE_MS: '5000',
      // Whoever looks for the reason of a failure has nothing else.
      LOG_LEVEL: 'error',
    });
    const setting = from === 'Postgres' ? 'DATABASE_URL' : 'REDIS_URL';
    const proxy = await startTcpProxy(environment[setting]!);
    const agents = await startAgentsService(environment);
    const workers = await Promise.all([
      ...Array.from({ length: near }, () => startWorker(environment)),
      startWorker({ ...environment, [setting]: proxy.url }),
    ]);
    const client = startTestClient(environment);
    const runs = runsClient(client.services, database);
    const agentId = await runs.agent(['say one', 'wait 100', 'finish two']);
    const traffic = new RunTraffic(runs, database, agentId);
    return new DistantRuns(database, proxy, traffic, client, agents, workers);
  }

  /** The log lines of all workers. */
  workersOutput(): string {
    return this.workers.map((worker) => worker.output()).join('');
  }

  async stop(): Promise<void> {
    this.client.close();
    for (const worker of this.workers) worker.signal('SIGKILL');
    await Promise.all([this.agents.close(), ...this.workers.map(({ exited }) => exited)]);
    await this.proxy.close();
    await this.database.drop();
  }
}
