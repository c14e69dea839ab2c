import { respondToHumanRequest, runErrorAdvice, runErrorCodes, type RunErrorCode } from '@aos/contracts';
import {
  createProductDatabase,
  eventually,
  startModelServer,
  startServiceHere,
  startTestClient,
  testEnvironment,
  type ModelServer,
  type ServiceProcess,
  type TestClient,
  type TestDatabase,
} from '@aos/testing';
import type { RunningService } from '@aos/service';
import { uuidv7 } from 'uuidv7';
import { agentWith } from './tools-under-test.js';
import { runsClient, startAgentsService, startWorker, type RunsClient } from './runs-under-test.js';

const model = 'compatible/stand-in';
const brokenCall = { kind: 'turn', toolCalls: [{ name: 'write_memory', arguments: '{"path": ' }] } as const;

describe('a run that fails', () => {
  let database: TestDatabase;
  let models: ModelServer;
  let services: RunningService[] = [];
  let worker: ServiceProcess;
  let client: TestClient;
  let runs: RunsClient;

  beforeAll(async () => {
    database = await createProductDatabase();
    models = await startModelServer();
    const environment = testEnvironment({
      DATABASE_URL: database.url,
      COMPATIBLE_BASE_URL: models.openAiUrl,
      RUN_LEASE_MS: '3000',
      LOG_LEVEL: 'info',
    });
    services = [
      await startAgentsService({ ...environment, LOG_LEVEL: 'error' }),
      await startServiceHere('connections', { ...environment, LOG_LEVEL: 'error' }),
    ];
    worker = await startWorker(environment);
    client = startTestClient(environment);
    runs = runsClient(client.services, database);
  });

  afterAll(async () => {
    client?.close();
    await worker?.stop();
    await Promise.all(services.map((service) => service.close()));
    await models?.close();
    await database?.drop();
  });

  const started = async (...given: Parameters<RunsClient['agent']>) =>
    (await runs.start(await runs.agent(...given), { message: 'Hello' })).id;
  const answering = (...replies: Parameters<ModelServer['script']>) => {
    models.script(...replies);
    return started('Answer.', { model });
  };
  const lacking = async (data: object) => (await runs.start(await agentWith(runs, ['finish done'], data))).id;
  const change = (assignments: string, runId: string) =>
    database.query(`UPDATE runs.run SET ${assignments} WHERE id = $1`, [runId]);

  /** A run that waits for an answer, and gets it once its row is changed. */
  async function answeredAfter(changeRow: (runId: string) => Promise<unknown>): Promise<string> {
    const id = await started(['ask Why?', 'say two', 'finish done']);
    await runs.reach(id, 'waiting');
    const { pending_human_request: request } = await runs.show(id);
    await changeRow(id);
    const params = { run_id: id, request_id: request!.id };
    const { status } = await runs.call(respondToHumanRequest, {
      params,
      body: { answers: { 'Why?': 'So' } },
    });
    expect(status).toBe(200);
    return id;
  }

  /** For each reason a run that fails for it. */
  const causes: Readonly<Record<RunErrorCode, () => Promise<string>>> = {
    model_error: () => answering({ kind: 'status', status: 401, message: 'No such key' }),
    output_truncated: () => answering({ kind: 'turn', text: 'It is', ending: 'length' }),
    content_filtered: () => answering({ kind: 'turn', text: '', ending: 'content_filter' }),
    model_protocol_error: () => answering(brokenCall),
    invalid_script: () => started(['dance']),
    failed_by_agent: () => started(['fail No paper left']),
    timeout: () => started(['wait 60000', 'finish late'], { options: { timeout_seconds: 1 } }),
    max_steps_exceeded: () => started(['say 1', 'say 2', 'say 3'], { options: { max_steps: 2 } }),
    budget_exceeded: () => {
      models.script({ kind: 'turn', toolCalls: [{ name: 'again', arguments: {} }] });
      return started('Spend.', { model, options: { max_tokens: 20 } });
    },
    human_request_expired: () => {
      const due_at = new Date(Date.now() + 1_000).toISOString();
      const request = { title: 'Soon', due_at, on_timeout: 'fail' };
      return started([`tool request_approval ${JSON.stringify(request)}`, 'finish never']);
    },
    agent_unavailable: () => lacking({ sub_agents: [uuidv7()] }),
    connection_unavailable: () => lacking({ connections: [uuidv7()] }),
    output_too_large: async () => {
      const agentId = await runs.agent([`say ${'{{message}}'.repeat(2_500)}`]);
      return (await runs.start(agentId, { message: 'x'.repeat(200_000) })).id;
    },
    limit_reached: () => answeredAfter((id) => change('message_bytes = 1000000000000', id)),
    worker_lost: async () => {
      const id = await started(['wait 600000', 'finish done']);
      await eventually(async () => expect((await runs.show(id)).run.usage.steps).toBe(1));
      const lost = 'lease_token = gen_random_uuid(), lease_until = now()';
      await change(`takeovers = 10, wake_at = NULL, ${lost}`, id);
      return id;
    },
    // A fault that nobody foresaw: the step cannot be stored.
    internal_error: async () => {
      await database.query(`
        CREATE FUNCTION runs.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'poisoned'; END $$`);
      await database.query(`
        CREATE TRIGGER refuse BEFORE INSERT ON runs.run_message
           FOR EACH ROW WHEN (NEW.text_content = 'poison') EXECUTE FUNCTION runs.refuse()`);
      return started(['say poison', 'finish never']);
    },
  };

  it.each(runErrorCodes)('for %s says what can be done, where it is read, told and logged', async (code) => {
    const id = await causes[code]();
    const { run } = await runs.reach(id, 'failed');
    expect(run.error).toEqual({
      code,
      message: expect.any(String) as string,
      advice: runErrorAdvice[code],
    });
    const [told] = await database.query<{ error: unknown }>(
      `SELECT data -> 'error' AS error FROM runs.logged_event WHERE run_id = $1 AND event = 'run.failed'`,
      [id],
    );
    expect(told!.error).toEqual({ code, message: run.error!.message });
    await eventually(() => {
      const lines = worker.output().split('\n');
      const line = lines.find((text) => text.includes(id) && text.includes('"msg":"run failed"'));
      expect(JSON.parse(line!)).toMatchObject({ code, reason: run.error!.message, team_id: runs.teamId });
    });
  });
});
