import { randomBytes, randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildPublished, listEvents, startRun } from '@aos/contracts';
import { eventually, testEnvironment } from '@aos/testing';
import { receivedAt } from '../src/received-events.js';
import { makeAgent, publishDraft, steps } from '../src/sample-agents.js';
import { makeWebhook } from '../src/sample-webhooks.js';
import { startStack, type Stack } from '../src/stack.js';
import { connectAdmin, newTeam, type Team } from '../src/team.js';

const program = fileURLToPath(new URL('../../../tools/ops/dist/bundle/ops.main.js', import.meta.url));
type Row = Record<string, unknown>;

/** The operator's command line beside a product that runs. */
describe('npm run ops', () => {
  const settings = {
    REDIS_PREFIX: `ops${randomBytes(6).toString('hex')}`,
    SECRETS_KEYS: `ops:${randomBytes(32).toString('base64')}`,
    // One try, so that what fails is dead at once.
    WEBHOOK_RETRY_SCHEDULE_MS: '0',
  };
  let stack: Stack;
  let team: Team;

  beforeAll(async () => {
    stack = await startStack({
      services: ['agents-and-revisions', 'runs', 'connections', 'webhook-dispatcher', 'billing'],
      environment: settings,
    });
    team = await newTeam(await connectAdmin(stack));
  });

  afterAll(async () => {
    await stack?.stop();
  });

  function ops(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    const env = { ...testEnvironment(settings), DATABASE_URL: stack.database.url, PATH: process.env['PATH'] };
    return new Promise((resolve) => {
      execFile(process.execPath, [program, ...args], { env }, (error, out, err) => {
        resolve({ code: error ? Number(error.code) : 0, out, err });
      });
    });
  }

  async function rowsOf(...args: string[]): Promise<Row[]> {
    const { out, err } = await ops(...args, '--json');
    if (out === '') throw new Error(err);
    return JSON.parse(out) as Row[];
  }

  it('says that all is well, service by service', async () => {
    const rows = await eventually(async () => {
      const { code, out } = await ops('status', '--json');
      expect([code, out]).toEqual([0, expect.any(String)]);
      return JSON.parse(out) as Row[];
    });
    expect(rows.map(({ service, answers, dead }) => [service, answers, dead])).toEqual(
      ['gateway', 'agents-and-revisions', 'runs', 'connections', 'webhook-dispatcher', 'billing'].map(
        (service) => [service, 'yes', 0],
      ),
    );
  });

  it('shows a dead event and lets its service try it again', async () => {
    const id = randomUUID();
    const event = {
      id,
      event: buildPublished.name,
      created_at: new Date().toISOString(),
      data: buildPublished.example!,
      meta: { team_id: team.id, source: 'agents-and-revisions', position: 1_000_000 },
    };
    const dead = randomUUID();
    await stack.database.query(
      `INSERT INTO webhook_dispatcher.dead_event
         (id, source, position, event, error, attempts, next_attempt_at, created_at)
       VALUES ($1, 'agents-and-revisions', 1000000, $2, 'Error: not now', 5, now() + interval '1 hour', now())`,
      [dead, JSON.stringify(event)],
    );
    expect(await rowsOf('events', 'dead')).toMatchObject([
      { service: 'webhook-dispatcher', id: dead, event: buildPublished.name, error: 'Error: not now' },
    ]);
    // What is dead is not well.
    expect((await ops('status')).code).toBe(1);
    expect(await rowsOf('events', 'retry', '--service', 'billing')).toEqual([]);
    expect(await rowsOf('events', 'retry', '--service', 'webhook-dispatcher')).toMatchObject([{ id: dead }]);
    // By its own handler: the feed of the team has it.
    await eventually(async () => {
      expect(await rowsOf('events', 'dead')).toEqual([]);
      const { events } = await team.client.succeed<{ events: { id: string }[] }>(listEvents, {
        params: { teamId: team.id },
      });
      expect(events.map((one) => one.id)).toContain(id);
    });
  });

  it('shows receivers with dead deliveries and sends these again', async () => {
    const path = `/ops-${randomBytes(4).toString('hex')}`;
    stack.receiver.behave(() => ({ status: 500 }));
    const webhook = await makeWebhook(team, stack.receiver.url(path));
    await publishDraft(team);
    await eventually(async () => {
      expect(await rowsOf('deliveries', 'dead', '--webhook', webhook)).toMatchObject([
        { webhook, team: team.id, dead: '1', answered: 500 },
      ]);
    });
    stack.receiver.behave(() => ({ status: 200 }));
    const before = receivedAt(stack.receiver, path).length;
    expect(await rowsOf('deliveries', 'retry', '--webhook', webhook)).toMatchObject([{ webhook }]);
    await eventually(async () => {
      expect(receivedAt(stack.receiver, path).length).toBe(before + 1);
      expect(await rowsOf('deliveries', 'dead', '--webhook', webhook)).toEqual([]);
    });
  });

  it('finds a run that no worker takes, and not one that waits for a person', async () => {
    const agentId = await makeAgent(team, steps('approve Shall I?', 'finish Done'));
    const { run_id: runId } = await team.client.succeed<{ run_id: string }>(startRun, {
      params: { teamId: team.id },
      body: { agent_id: agentId, wait_seconds: 10 },
    });
    expect(await rowsOf('runs', 'stuck', '--seconds', '0')).toEqual([]);
    const worker = stack.processes.find(({ service }) => service === 'runs')!;
    worker.signal('SIGSTOP');
    try {
      // As a start leaves it whose process is gone.
      await stack.database.query(
        `UPDATE runs.run SET status = 'running', lease_token = $2, lease_until = now() - interval '5 minutes' WHERE id = $1`,
        [runId, randomUUID()],
      );
      const { code, out } = await ops('runs', 'stuck', '--json');
      expect(code).toBe(1);
      expect(JSON.parse(out)).toMatchObject([{ run: runId, team: team.id, state: 'its worker is gone' }]);
    } finally {
      worker.signal('SIGCONT');
    }
    await eventually(async () => expect(await rowsOf('runs', 'stuck', '--seconds', '1')).toEqual([]));
  });
});
