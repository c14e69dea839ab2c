import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAgent, listRunMessages, type BuildConfig, type Run, type RunMessage } from '@aos/contracts';
import {
  createProductDatabase,
  startTestClient,
  testEnvironment,
  type ServiceProcess,
  type TestDatabase,
} from '@aos/testing';
import {
  procedureOf,
  runsClient,
  startAgentsService,
  startWorker,
  type RunsClient,
} from './runs-under-test.js';

/** A tool and its arguments. */
export type Call = readonly [name: string, args?: object];

/** What came of a call; `error` if the model was told of one. */
export interface CallEnd {
  readonly name: string;
  readonly result?: unknown;
  readonly error?: string;
}

/** Lines of a script that make the calls. */
export function linesOf(calls: readonly Call[]): string[] {
  return calls.map(([name, args = {}]) => `tool ${name} ${JSON.stringify(args)}`);
}

/** What came of the calls of a run, in order. */
export async function callEnds(runs: RunsClient, runId: string): Promise<CallEnd[]> {
  const messages = await allMessages(runs, runId);
  const names = new Map(messages.flatMap(({ tool_call: call }) => (call ? [[call.id, call.name]] : [])));
  return messages.flatMap(({ tool_result: ended }) => {
    if (!ended) return [];
    const { tool_call_id: id, ...rest } = ended;
    return [{ name: names.get(id) ?? '', ...rest }];
  });
}

async function allMessages(runs: RunsClient, runId: string): Promise<RunMessage[]> {
  const messages: RunMessage[] = [];
  for (;;) {
    const query = { limit: '50', offset: String(messages.length) };
    const { body } = await runs.call(listRunMessages, { params: { run_id: runId }, query });
    messages.push(...(body.messages as RunMessage[]));
    if (messages.length >= body.total) return messages;
  }
}

/** What a build has beside its steps. */
export type BuildData = Partial<Pick<BuildConfig['data'], 'plugins' | 'sub_agents' | 'connections'>>;

/** An agent that follows the steps, however many they are. */
export async function agentWith(
  runs: RunsClient,
  steps: readonly string[],
  data: BuildData = {},
): Promise<string> {
  const config = { data: { input: procedureOf(steps), options: { max_steps: 500 }, ...data } };
  const { status, text, body } = await runs.call(createAgent, {
    body: { name: 'Tester', build: { config } },
  });
  if (status !== 201) throw new Error(`createAgent answered ${status}: ${text}`);
  return body.agent_id;
}

/** A run that makes the calls and has completed. */
export async function perform(
  runs: RunsClient,
  calls: readonly Call[],
  { body, ...data }: BuildData & { readonly body?: object } = {},
): Promise<{ run: Run; ends: CallEnd[] }> {
  const agentId = await agentWith(runs, [...linesOf(calls), 'finish done'], data);
  const { id } = await runs.start(agentId, body);
  const { run } = await runs.reach(id, 'completed');
  return { run, ends: await callEnds(runs, id) };
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answer = (response: ServerResponse, request: SeenRequest) => void;

export interface Site {
  readonly port: number;
  url(path?: string): string;
  /** All that came so far, in order. */
  readonly seen: SeenRequest[];
  /** The requests to a path. */
  at(path: string): SeenRequest[];
  /** How many left before they were answered. */
  abandoned(): number;
  close(): Promise<void>;
}

/** Never answers. */
export const hang: Answer = () => undefined;

/** A site on loopback; what has no answer is 404. Answers may be changed while it runs. */
export async function startSite(answers: Record<string, Answer | string>): Promise<Site> {
  const seen: SeenRequest[] = [];
  let abandoned = 0;
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('close', () => {
      if (!response.writableFinished) abandoned += 1;
    });
    incoming.on('end', () => {
      const { method = '', url: path = '', headers } = incoming;
      const request = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
      seen.push(request);
      const answer = answers[path] ?? ((missing: ServerResponse) => void missing.writeHead(404).end());
      if (typeof answer !== 'string') return answer(response, request);
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: (path = '/') => `http://127.0.0.1:${port}${path}`,
    seen,
    at: (path) => seen.filter((request) => request.path === path),
    abandoned: () => abandoned,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Workers as processes that a test may kill or freeze, beside an agents service that stays. */
export interface KillableRuns extends RunsClient {
  readonly database: TestDatabase;
  readonly environment: Record<string, string>;
  /** The same runs for another team. */
  otherTeam(): RunsClient;
  startWorker(): Promise<ServiceProcess>;
  /** As a power cut would end it: what it had under way in the database is undone. */
  kill(worker: ServiceProcess): Promise<void>;
  stop(): Promise<void>;
}

export async function startKillableRuns(
  environment: Record<string, string>,
  given?: TestDatabase,
): Promise<KillableRuns> {
  const database = given ?? (await createProductDatabase());
  const whole = testEnvironment({ DATABASE_URL: database.url, ...environment });
  const agents = await startAgentsService(whole);
  const client = startTestClient(whole);
  const workers = new Set<ServiceProcess>();
  return {
    ...runsClient(client.services, database),
    database,
    environment: whole,
    otherTeam: () => runsClient(client.services, database),
    startWorker: async () => {
      const worker = await startWorker(whole);
      workers.add(worker);
      return worker;
    },
    kill: async (worker) => {
      workers.delete(worker);
      worker.signal('SIGKILL');
      await worker.exited;
      await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'runs'`,
      );
    },
    stop: async () => {
      client.close();
      await Promise.all([agents.close(), ...[...workers].map((worker) => worker.stop())]);
      await database.drop();
    },
  };
}

/** Holds back changes of rows until it is opened, so that a worker can be killed before they are made. */
export interface Gate {
  close(): Promise<void>;
  open(): Promise<void>;
  /** How many changes are held back. */
  waiting(): Promise<number>;
}

/** `when` says which changes of the table have to wait. */
export async function installGate(
  database: TestDatabase,
  name: string,
  { table, when }: { table: string; when: string },
): Promise<Gate> {
  await database.query(`CREATE TABLE runs.${name} (closed boolean)`);
  await database.query(`
    CREATE FUNCTION runs.wait_at_${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      WHILE EXISTS (SELECT 1 FROM runs.${name}) LOOP PERFORM pg_sleep(0.02); END LOOP;
      RETURN NEW;
    END $$`);
  await database.query(
    `CREATE TRIGGER wait_at_${name} BEFORE UPDATE ON runs.${table} FOR EACH ROW WHEN (${when})
       EXECUTE FUNCTION runs.wait_at_${name}()`,
  );
  return {
    close: async () => void (await database.query(`INSERT INTO runs.${name} VALUES (true)`)),
    open: async () => void (await database.query(`DELETE FROM runs.${name}`)),
    waiting: async () => {
      const [row] = await database.query<{ count: number }>(
        `SELECT count(*)::int FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event = 'PgSleep'`,
      );
      return row!.count;
    },
  };
}
