import { randomBytes } from 'node:crypto';
import { createClient, type Client } from '@aos/client';
import { findFreePort } from '@aos/local-infra';
import {
  appEntry,
  createProductDatabase,
  eventually,
  startReceiver,
  startServiceProcess,
  testEnvironment,
  type ServiceProcess,
  type TestDatabase,
  type WebhookReceiver,
} from '@aos/testing';
import { connectAdmin, newTeam } from '../../src/team.js';

const entry = appEntry('together');
const procedure = (...steps: string[]) => ['```steps', ...steps, '```'].join('\n');

describe('all services in one process', () => {
  let database: TestDatabase;
  let receiver: WebhookReceiver;
  let environment: Record<string, string>;
  let product: ServiceProcess;
  let client: Client;

  beforeAll(async () => {
    database = await createProductDatabase();
    receiver = await startReceiver();
    const port = await findFreePort();
    const metricsPort = await findFreePort({ exclude: [port] });
    environment = testEnvironment({
      DATABASE_URL: database.url,
      PORT: String(port),
      PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
      RUNS_HEALTH_PORT: String(metricsPort),
      ADMIN_KEY: `aos_admin_${randomBytes(32).toString('base64url')}`,
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    });
    product = await startServiceProcess(entry, environment);
    const urls = [environment['PUBLIC_BASE_URL']!];
    const team = await newTeam(await connectAdmin({ urls, adminKey: environment['ADMIN_KEY']! }));
    client = createClient({ baseUrl: urls[0]!, apiKey: team.key, teamId: team.id, retries: 8 });
  });

  afterAll(async () => {
    await product?.stop();
    await receiver?.close();
    await database?.drop();
  });

  async function makeAgent(...steps: string[]): Promise<string> {
    const config = { data: { input: procedure(...steps) } };
    return (await client.createAgent({ build: { config } })).agent_id;
  }

  const readiness = async () => (await fetch(`${environment['PUBLIC_BASE_URL']}/readyz`)).status;

  it('does the work of the six, from the request to the webhook', async () => {
    await eventually(async () => expect(await readiness()).toBe(200));
    await client.createWebhook({ url: receiver.url('/hooks'), events: ['run.completed'] });
    const agentId = await makeAgent(
      'tool write_file {"path":"a.txt","content":"x"}',
      'say Written',
      'finish Done',
    );
    const { run } = await client.startRun({ agent_id: agentId, wait_seconds: 30 });
    expect(run).toMatchObject({ status: 'completed', result: 'Done' });
    await eventually(() => {
      const told = receiver.received.filter(({ rawBody }) => rawBody.includes(run.run_id));
      expect(told).toHaveLength(1);
    });
    await eventually(async () => expect((await client.getBillingUsage()).runs.completed).toBe(1));
  });

  it('shows the metrics of each service at its own port', async () => {
    const text = await (await fetch(`http://127.0.0.1:${environment['RUNS_HEALTH_PORT']}/metrics`)).text();
    expect(text).toContain('service="runs"');
    expect(text).not.toContain('service="gateway"');
  });

  it('loses nothing when it is killed', async () => {
    const agentId = await makeAgent('say One', 'wait 400', 'say Two', 'finish Done');
    const runs = await Promise.all(
      Array.from({ length: 10 }, (_, n) => client.startRun({ agent_id: agentId, message: String(n) })),
    );
    product.signal('SIGKILL');
    await product.exited;
    product = await startServiceProcess(entry, environment);
    for (const { run_id } of runs) {
      await eventually(async () => expect((await client.getRun({ run_id })).status).toBe('completed'), {
        timeoutMs: 60_000,
      });
      const { messages } = await client.listRunMessages({ run_id });
      const said = messages
        .filter(({ role }) => role === 'assistant')
        .map(({ text_content }) => text_content);
      expect(said).toEqual(['One', 'Two', 'Done']);
    }
  });

  it('ends in good order', async () => {
    await product.stop();
    expect(await product.exited).toBe(0);
  });

  it('tells each wrong setting once', async () => {
    const wrong = { ...environment, REDIS_PREFIX: 'Not this', RUN_LEASE_MS: 'soon' };
    const refused: unknown = await startServiceProcess(entry, wrong).catch((error: unknown) => error);
    const { message } = refused as Error;
    expect(message).toContain('(78)');
    expect(message.match(/REDIS_PREFIX/g)).toHaveLength(1);
    expect(message).toContain('RUN_LEASE_MS');
  });
});
