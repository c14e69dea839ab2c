import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPublished, getRun, listEvents, startRun } from '@aos/contracts';
import { eventually } from '@aos/testing';
import { Operator } from '../../src/operator.js';
import { receivedAt } from '../../src/received-events.js';
import { makeAgent, makeRun, publishDraft, steps } from '../../src/sample-agents.js';
import { makeWebhook } from '../../src/sample-webhooks.js';
import { startStack, type Stack } from '../../src/stack.js';
import { connectAdmin, newTeam, type Team } from '../../src/team.js';

type Row = Record<string, unknown>;
const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

/** The operator's command line beside a product that runs. */
describe('npm run ops', () => {
  const [k1, k2] = [newKey('k1'), newKey('k2')];
  const settings = {
    REDIS_PREFIX: `ops${randomBytes(6).toString('hex')}`,
    SECRETS_KEYS: `${k1},${k2}`,
    // One try, so that what fails is dead at once.
    WEBHOOK_RETRY_SCHEDULE_MS: '0',
  };
  let stack: Stack;
  let team: Team;
  let operator: Operator;
  let dataDir: string;

  beforeAll(async () => {
    stack = await startStack({
      together: false,
      services: ['agents-and-revisions', 'runs', 'connections', 'webhook-dispatcher', 'billing'],
      environment: settings,
    });
    dataDir = await mkdtemp(join(tmpdir(), 'aos-ops-'));
    operator = new Operator({ ...settings, DATABASE_URL: stack.database.url, AOS_DATA_DIR: dataDir });
    team = await newTeam(await connectAdmin(stack));
  });

  afterAll(async () => {
    await stack?.stop();
    if (dataDir) await rm(dataDir, { recursive: true });
  });

  const ops = (...args: string[]) => operator.run(args);
  const rowsOf = (...args: string[]) => operator.rows(args);

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

  it('says why runs failed, of how many teams', async () => {
    const other = await newTeam(await connectAdmin(stack));
    const broken = steps('fail The line is dead');
    await makeRun(team, await makeAgent(team, broken));
    const agentId = await makeAgent(other, broken);
    await makeRun(other, agentId);
    const latest = await makeRun(other, agentId);
    const run = await other.client.succeed<{ run: { error: { code: string } } }>(getRun, {
      params: { run_id: latest },
    });
    // Other tests leave runs that failed for other reasons.
    const byAgent = async (...more: string[]) =>
      (await rowsOf('runs', 'failed', ...more)).filter(({ reason }) => reason === run.run.error.code);
    expect(await byAgent()).toEqual([{ reason: run.run.error.code, runs: 3, teams: 2, latest }]);
    await stack.database.query(
      `UPDATE runs.run SET completed_at = completed_at - interval '90 minutes'
        WHERE status = 'failed' AND id <> $1`,
      [latest],
    );
    expect(await byAgent()).toMatchObject([{ runs: 1, teams: 1, latest }]);
    expect(await byAgent('--minutes', '120')).toMatchObject([{ runs: 3, teams: 2, latest }]);
  });

  it('names the keys in use while one is retired, until it is in use nowhere', async () => {
    const path = `/keys-${randomBytes(4).toString('hex')}`;
    await makeWebhook(team, stack.receiver.url(path));
    const ofDispatcher = async (keys: string) => {
      const { code, out } = await operator.with({ SECRETS_KEYS: keys }).run(['keys', '--json']);
      const rows = (JSON.parse(out) as Row[]).filter(({ service }) => service === 'webhook-dispatcher');
      return {
        code,
        found: [...new Set(rows.map((row) => `${String(row['key_id'])} ${String(row['state'])}`))],
      };
    };
    expect(await ofDispatcher(`${k1},${k2}`)).toEqual({ code: 0, found: ['k1 current'] });
    expect(await ofDispatcher(k2)).toEqual({ code: 1, found: ['k1 MISSING'] });
    const turned = `${k2},${k1}`;
    expect(await ofDispatcher(turned)).toEqual({ code: 0, found: ['k1 old'] });
    // A replica of the next step of a rotation seals again what is under the old key.
    await stack.start('webhook-dispatcher', { SECRETS_KEYS: turned });
    await eventually(async () => expect((await ofDispatcher(turned)).found).toEqual(['k2 current']));
    await publishDraft(team);
    await eventually(() => expect(receivedAt(stack.receiver, path).length).toBe(1));
  });

  it('counts the usage of a day again', async () => {
    await makeRun(team);
    const sums = async () =>
      stack.database.query<{ day: string; runs: number }>(
        `SELECT day::text, runs_started::int AS runs FROM billing.daily_usage
          WHERE team_id = $1 AND runs_started > 0`,
        [team.id],
      );
    const { day, runs } = await eventually(async () => {
      const started = await stack.database.query<{ runs: number }>(
        'SELECT count(*)::int AS runs FROM runs.run WHERE team_id = $1',
        [team.id],
      );
      const [row] = await sums();
      expect(row?.runs).toBe(started[0]!.runs);
      return row!;
    });
    await stack.database.query(
      `UPDATE billing.daily_usage SET runs_started = runs_started + 7 WHERE team_id = $1 AND runs_started > 0`,
      [team.id],
    );
    expect(await ops('recount', day, day)).toMatchObject({ code: 0, out: 'Wrong sums, now mended: 1.\n' });
    expect(await sums()).toEqual([{ day, runs }]);
    expect(await ops('recount', day)).toMatchObject({ code: 0, out: 'Every sum is as its records say.\n' });
    expect((await ops('recount', 'tomorrow')).code).toBe(64);
  });

  it('drains a replica: no request fails, and what it has in hand goes on elsewhere', async () => {
    const drained = stack.processes.find(({ service }) => service === 'runs')!;
    const [asked, told] = ['/asked', '/told'].map((path) => `${path}-${randomBytes(4).toString('hex')}`);
    const release = new Map<string, () => void>();
    const held = new Map(
      [asked!, told!].map((path) => [path, new Promise<void>((resolve) => release.set(path, resolve))]),
    );
    stack.receiver.behave(({ path }) => ({ status: 200, until: held.get(path) }));
    const start = async (method: string, path: string) => {
      const call = `tool http_request {"method": "${method}", "url": "${stack.receiver.url(path)}"}`;
      const agentId = await makeAgent(team, steps('say Calling', call, 'say Called', 'finish Done'));
      const request = { params: { teamId: team.id }, body: { agent_id: agentId } };
      return (await team.client.succeed<{ run_id: string }>(startRun, request)).run_id;
    };
    const inHand = [await start('GET', asked!), await start('GET', asked!), await start('POST', told!)];
    const calls = (path: string) => receivedAt(stack.receiver, path).length;
    await eventually(() => expect([calls(asked!), calls(told!)]).toEqual([2, 1]));

    const elsewhere = await stack.start('runs');
    // Whole or not at all, as the launcher writes it.
    const startedHere = async (...replicas: number[]) => {
      const draft = join(dataDir, 'processes.json.new');
      await writeFile(draft, JSON.stringify({ services: { runs: replicas } }));
      await rename(draft, join(dataDir, 'processes.json'));
    };
    await startedHere(drained.pid, elsewhere.pid);
    let isDrained = false;
    // As the launcher does it.
    const successor = drained.exited.then(async () => {
      isDrained = true;
      const next = await stack.start('runs');
      await startedHere(elsewhere.pid, next.pid);
      return next.pid;
    });
    const fresh = await makeAgent(team, steps('say Here', 'finish Done'));
    const draining = rowsOf('drain', 'runs', '--pid', String(drained.pid));
    const over = draining.catch(() => undefined).finally(() => (isDrained = true));
    // Another goes on with the calls that only read while the one that tells is still waited for.
    const askedAgain = eventually(() => expect(calls(asked!)).toBe(4)).finally(release.get(told!));
    // What comes meanwhile is answered, and done.
    const meanwhile: string[] = [];
    while (!isDrained) meanwhile.push(await makeRun(team, fresh));
    await over;
    expect(await draining).toEqual([
      { service: 'runs', ended: drained.pid, ms: expect.any(Number), successor: await successor },
    ]);
    expect(await drained.exited).toBe(0);
    expect(await Promise.all(meanwhile.map(statusOf))).toEqual(meanwhile.map(() => 'completed'));
    await askedAgain;
    release.get(asked!)!();
    await eventually(async () =>
      expect(await Promise.all(inHand.map(statusOf))).toEqual(inHand.map(() => 'completed')),
    );
    expect([calls(asked!), calls(told!)]).toEqual([4, 1]);
    const said = await stack.database.query<{ said: string }>(
      `SELECT string_agg(text_content, ', ' ORDER BY seq) AS said FROM runs.run_message
        WHERE run_id = ANY($1) AND role = 'assistant' AND text_content <> '' GROUP BY run_id`,
      [inHand],
    );
    expect(said).toEqual(inHand.map(() => ({ said: 'Calling, Called, Done' })));
    const broken = await stack.database.query(
      `SELECT tool_result FROM runs.run_message WHERE run_id = ANY($1) AND tool_result ? 'error'`,
      [inHand],
    );
    expect(broken).toEqual([]);
    expect((await ops('drain', 'runs', '--pid', String(drained.pid))).code).toBe(64);
    expect((await ops('drain', 'billing')).code).toBe(1);
  });

  async function statusOf(runId: string): Promise<string> {
    const { run } = await team.client.succeed<{ run: { status: string } }>(getRun, {
      params: { run_id: runId },
    });
    return run.status;
  }
});
