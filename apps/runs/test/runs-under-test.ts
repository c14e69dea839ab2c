import {
  createAgent,
  getRun,
  listRunMessages,
  startRun,
  type BuildConfig,
  type HumanRequest,
  type Run,
  type RunMessage,
  type RunStatus,
} from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { loadServiceConfig, startService, type RunningService } from '@aos/service';
import {
  appEntry,
  createProductDatabase,
  eventually,
  startServiceHere,
  startServiceProcess,
  TeamCaller,
  testEnvironment,
  type ServiceCall,
  type ServiceProcess,
  type TestDatabase,
} from '@aos/testing';
import { service } from '../src/index.js';

interface AgentOptions {
  readonly model?: string;
  readonly options?: Partial<BuildConfig['data']['options']>;
  readonly plugins?: string[];
  readonly connections?: string[];
}

interface Shown {
  readonly run: Run;
  readonly pending_human_request: HumanRequest | null;
}

/** What tests do with runs, over Redis as the gateway does it. */
export interface RunsClient {
  readonly teamId: string;
  readonly call: TeamCaller['call'];
  /** An agent that follows the steps, or a procedure of its own; gives its id. */
  agent(steps: string | readonly string[], options?: AgentOptions): Promise<string>;
  start(agentId: string, body?: object, options?: ServiceCall): Promise<Run>;
  show(runId: string): Promise<Shown>;
  /** The run once it has one of these statuses. */
  reach(runId: string, ...statuses: RunStatus[]): Promise<Shown>;
  messages(runId: string): Promise<RunMessage[]>;
  /** The names of its public events, in order. */
  events(runId: string): Promise<string[]>;
}

/** The service in this process on a database of its own, and the agents service beside it. */
export interface RunsUnderTest extends RunsClient {
  readonly database: TestDatabase;
  readonly environment: Record<string, string>;
  readonly running: RunningService;
  stop(): Promise<void>;
}

export interface RunsOptions {
  readonly environment?: Record<string, string>;
}

/** One more replica on the same stores. */
export function startReplica(environment: Record<string, string>): Promise<RunningService> {
  return startService(service, loadServiceConfig(service.name, service.configSchema, environment));
}

/** A worker as a process of its own, which a test may kill. */
export function startWorker(environment: Record<string, string>): Promise<ServiceProcess> {
  return startServiceProcess(appEntry('runs'), environment);
}

export function startAgentsService(environment: Record<string, string>): Promise<RunningService> {
  return startServiceHere('agents-and-revisions', environment);
}

export function procedureOf(steps: string | readonly string[]): string {
  return typeof steps === 'string' ? steps : ['```steps', ...steps, '```'].join('\n');
}

export async function startRuns(options: RunsOptions = {}): Promise<RunsUnderTest> {
  const database = await createProductDatabase();
  const environment = testEnvironment({ DATABASE_URL: database.url, ...options.environment });
  const [agents, running] = await Promise.all([startAgentsService(environment), startReplica(environment)]);
  return {
    ...runsClient(running.app.get(ServiceClient), database),
    database,
    environment,
    running,
    stop: async () => {
      await Promise.all([running.close(), agents.close()]);
      await database.drop();
    },
  };
}

export function runsClient(client: ServiceClient, database: TestDatabase): RunsClient {
  const { teamId, call, succeed } = new TeamCaller(client);
  const show = async (runId: string) => (await succeed(getRun, { params: { run_id: runId } })) as Shown;
  return {
    teamId,
    call,
    agent: async (steps, { model, ...data } = {}) => {
      const models = model === undefined ? {} : { models: { agent: { model } } };
      const config = { data: { input: procedureOf(steps), ...models, ...data } };
      const body = { name: 'Tester', build: { config } };
      return (await succeed(createAgent, { params: { teamId }, body })).agent_id;
    },
    start: async (agentId, body = {}, given = {}) => {
      const request = { params: { teamId }, body: { agent_id: agentId, ...body }, ...given };
      return (await succeed(startRun, request)).run as Run;
    },
    show,
    reach: (runId, ...statuses) =>
      eventually(
        async () => {
          const shown = await show(runId);
          if (!statuses.includes(shown.run.status)) {
            throw new Error(`The run is ${shown.run.status}, not ${statuses.join(' or ')}`);
          }
          return shown;
        },
        { timeoutMs: 30_000 },
      ),
    messages: async (runId) => {
      const page = { params: { run_id: runId }, query: { limit: '50' } };
      return (await succeed(listRunMessages, page)).messages as RunMessage[];
    },
    events: async (runId) => {
      const rows = await database.query<{ event: string }>(
        'SELECT event FROM runs.logged_event WHERE run_id = $1 ORDER BY run_seq',
        [runId],
      );
      return rows.map(({ event }) => event);
    },
  };
}
