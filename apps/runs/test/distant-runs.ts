import type { RunningService } from '@aos/service-host';
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

/** Workers of runs that reach Postgres through a proxy, beside some that need none. */
export class DistantRuns {
  private constructor(
    readonly database: TestDatabase,
    readonly proxy: TcpProxy,
    readonly traffic: RunTraffic,
    private readonly client: TestClient,
    private readonly agents: RunningService,
    private readonly workers: readonly ServiceProcess[],
  ) {}

  static async start({ near = 0, distant = 1 } = {}): Promise<DistantRuns> {
    const database = await createProductDatabase();
    const proxy = await startTcpProxy(database.url);
    const environment = testEnvironment({
      DATABASE_URL: database.url,
      RUN_LEASE_MS: '5000',
      // Whoever looks for the reason of a failure has nothing else.
      LOG_LEVEL: 'error',
    });
    const agents = await startAgentsService(environment);
    const workers = await Promise.all([
      ...Array.from({ length: near }, () => startWorker(environment)),
      ...Array.from({ length: distant }, () => startWorker({ ...environment, DATABASE_URL: proxy.url })),
    ]);
    const client = startTestClient(environment);
    const runs = runsClient(client.services, database);
    const agentId = await runs.agent(['say one', 'wait 100', 'finish two']);
    const traffic = new RunTraffic(runs, database, agentId);
    return new DistantRuns(database, proxy, traffic, client, agents, workers);
  }

  /** What the workers have logged. */
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
