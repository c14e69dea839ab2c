import {
  createAgent,
  createRevision,
  generateRevision,
  getBuilderRunStatus,
  type Operation,
  type OperationResponse,
} from '@aos/contracts';
import { defineService, loadServiceConfig, startService, type RunningService } from '@aos/service';
import {
  appEntry,
  createTestDatabase,
  eventually,
  startServiceProcess,
  startTestClient,
  TeamCaller,
  testEnvironment,
  type EmbeddedStores,
  type ServiceAnswer,
  type ServiceCall,
  type ServiceProcess,
  type TestClient,
  type TestDatabase,
} from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { service } from '../src/index.js';

const tables = defineService({ name: service.name, model: service.model, modules: [] });

export interface BuilderRow {
  readonly status: string;
  readonly phase: string;
  readonly lease_token: string | null;
  readonly lease_until: Date | null;
  readonly job_id: string;
  readonly failed_attempts: number;
  readonly lost_workers: number;
  readonly proposed_config: { data: { input: string } } | null;
  readonly draft_config: object | null;
  readonly error: { code: string; message: string } | null;
}

export type BuilderRun = OperationResponse<typeof getBuilderRunStatus>['builder_run'];

/** Leaves nothing open, so that the built-in builder asks nothing. */
export const clearPrompt = 'Answer every customer mail until the inbox is empty';

/** A database and a Redis prefix of one test, the services on them, and a caller that stands for the gateway. */
export class BuilderUnderTest {
  readonly teamId = uuidv7();
  readonly environment: Record<string, string>;
  readonly client: TestClient;
  private readonly caller: TeamCaller;
  private readonly services: RunningService[] = [];
  private readonly processes: ServiceProcess[] = [];

  private constructor(
    readonly database: TestDatabase,
    overrides: Record<string, string>,
  ) {
    this.environment = testEnvironment({ DATABASE_URL: database.url, ...overrides });
    this.client = startTestClient(this.environment);
    this.caller = new TeamCaller(this.client.services, this.teamId);
  }

  static async prepare(
    overrides: Record<string, string> = {},
    stores?: EmbeddedStores,
  ): Promise<BuilderUnderTest> {
    const database = await createTestDatabase([tables], stores?.databaseUrl);
    return new BuilderUnderTest(database, stores ? { REDIS_URL: stores.redisUrl, ...overrides } : overrides);
  }

  /** The service in this process. */
  async startHere(): Promise<RunningService> {
    const config = loadServiceConfig(service.name, service.configSchema, this.environment);
    const running = await startService(service, config);
    this.services.push(running);
    return running;
  }

  async startProcess(overrides: Record<string, string> = {}): Promise<ServiceProcess> {
    const started = await startServiceProcess(appEntry(service.name), { ...this.environment, ...overrides });
    this.processes.push(started);
    return started;
  }

  async stop(): Promise<void> {
    for (const started of this.processes) started.signal('SIGKILL');
    await Promise.all(this.processes.map(({ exited }) => exited));
    await Promise.all(this.services.map((running) => running.close()));
    this.client.close();
    await this.database.drop();
  }

  call<O extends Operation>(operation: O, given?: ServiceCall): Promise<ServiceAnswer<O>> {
    return this.caller.call(operation, given);
  }

  /** An agent with a live build of this config. */
  async makeAgent(data: object = {}): Promise<{ agentId: string; buildId: string }> {
    const body = { build: { config: { data } } };
    const answer = await this.call(createAgent, { params: { teamId: this.teamId }, body });
    return { agentId: answer.body.agent_id, buildId: answer.body.build.id };
  }

  async makeDraft(agentId: string): Promise<string> {
    const answer = await this.call(createRevision, { params: { agent_id: agentId } });
    expect(answer.status).toBe(201);
    return answer.body.build_id;
  }

  onBuild<O extends Operation>(operation: O, buildId: string, body?: unknown): Promise<ServiceAnswer<O>> {
    return this.call(operation, { params: { build_id: buildId }, body });
  }

  async generate(buildId: string, prompt = clearPrompt): Promise<string> {
    const answer = await this.onBuild(generateRevision, buildId, { prompt });
    expect(answer.status).toBe(202);
    return answer.body.builder_run_id;
  }

  async read(builderRunId: string): Promise<BuilderRun> {
    const answer = await this.call(getBuilderRunStatus, { params: { builder_run_id: builderRunId } });
    expect(answer.status).toBe(200);
    return answer.body.builder_run;
  }

  /** Waits for a status and gives the run as callers see it. */
  async until(builderRunId: string, status: BuilderRun['status'], timeoutMs = 15_000): Promise<BuilderRun> {
    return eventually(
      async () => {
        const run = await this.read(builderRunId);
        expect(run).toMatchObject({ status });
        return run;
      },
      { timeoutMs },
    );
  }

  /** A builder run that awaits review. */
  async proposal(buildId: string): Promise<BuilderRun> {
    return this.until(await this.generate(buildId), 'awaiting_review');
  }

  /** As it is stored; needs no service that answers. */
  async row(builderRunId: string): Promise<BuilderRow> {
    const [row] = await this.database.query<BuilderRow & Record<string, unknown>>(
      'SELECT * FROM agents_and_revisions.builder_run WHERE id = $1',
      [builderRunId],
    );
    return row!;
  }

  async untilRow(builderRunId: string, wanted: Partial<BuilderRow>, timeoutMs = 15_000): Promise<BuilderRow> {
    return eventually(
      async () => {
        const row = await this.row(builderRunId);
        expect(row).toMatchObject(wanted);
        return row;
      },
      { timeoutMs },
    );
  }
}
