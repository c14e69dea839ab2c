import { randomBytes, randomUUID } from 'node:crypto';
import { createAgent, getAgent, listConnections, startRun, type ServiceName } from '@aos/contracts';
import { findFreePort } from '@aos/local-infra';
import { eventually } from '@aos/testing';
import { Redis } from 'ioredis';
import pg from 'pg';
import { connectMcp } from '../../src/mcp-clients.js';
import { readMetrics, valueOf } from '../../src/metrics.js';
import { receivedAt } from '../../src/received-events.js';
import { makeAgent, makeRun, publishDraft, steps } from '../../src/sample-agents.js';
import { makeWebhook } from '../../src/sample-webhooks.js';
import { startStack, type Stack } from '../../src/stack.js';
import { connectAdmin, newTeam, type Team } from '../../src/team.js';

type Labels = Readonly<Record<string, string>>;
const behind = ['agents-and-revisions', 'webhook-dispatcher', 'billing', 'runs'] as const;
/** Some are looked up no more than once in ten seconds. */
const patient = { timeoutMs: 40_000 };

/** Each metric is made to move by what it tells of, and read as Prometheus reads it. */
describe('the metrics', () => {
  const settings = {
    REDIS_PREFIX: `metrics${randomBytes(6).toString('hex')}`,
    // A team alone gets three of four places.
    RUN_CONCURRENCY: '4',
    WEBHOOK_ENDPOINT_QUEUES: '1',
    WEBHOOK_RETRY_SCHEDULE_MS: '0,50',
  };
  const health = new Map<string, string>();
  let stack: Stack;
  let team: Team;
  let other: Team;

  beforeAll(async () => {
    stack = await startStack({ together: false, services: [], environment: settings });
    await Promise.all(
      behind.map(async (service) => {
        const port = await findFreePort();
        await stack.start(service, { HEALTH_PORT: String(port) });
        health.set(service, `http://127.0.0.1:${port}`);
      }),
    );
    health.set('gateway', stack.metricsUrls[0]!.replace('/metrics', ''));
    const admin = await connectAdmin(stack);
    [team, other] = [await newTeam(admin), await newTeam(admin)];
  });

  afterEach(() => stack.receiver.behave(() => ({ status: 200 })));

  afterAll(async () => {
    await stack?.stop();
  });

  async function read(service: ServiceName, name: string, labels: Labels = {}): Promise<number> {
    return valueOf(await readMetrics(health.get(service)!), name, labels);
  }

  /** By how much a metric has risen since then. */
  async function riseOf(service: ServiceName, name: string, labels: Labels = {}) {
    const before = await read(service, name, labels);
    return async () => (await read(service, name, labels)) - before;
  }

  /** A path whose answers are held back until they are let go. */
  function heldPath(): { path: string; letGo: () => void } {
    const path = `/held-${randomBytes(4).toString('hex')}`;
    let letGo = () => {};
    const until = new Promise<void>((resolve) => (letGo = resolve));
    stack.receiver.behave((one) => ({ status: 200, ...(one.path === path ? { until } : {}) }));
    return { path, letGo };
  }

  it('count requests where they come in, between services and where they are answered', async () => {
    const agentId = await makeAgent(team);
    const name = 'duration_seconds_count';
    const target = 'agents-and-revisions';
    const rises = await Promise.all([
      riseOf('gateway', `aos_http_request_${name}`, { operation: 'getAgent', method: 'GET', status: '200' }),
      riseOf('gateway', `aos_http_request_${name}`, { operation: 'getAgent', status: '404' }),
      riseOf('gateway', `aos_rpc_client_${name}`, { target, operation: 'getAgent', outcome: 'ok' }),
      riseOf('gateway', `aos_rpc_client_${name}`, { target, operation: 'getAgent', outcome: 'refused' }),
      riseOf(target, `aos_rpc_server_${name}`, { operation: 'getAgent', outcome: 'ok' }),
      riseOf(target, `aos_rpc_server_${name}`, { operation: 'createAgent', outcome: 'ok' }),
      riseOf(target, `aos_rpc_server_${name}`, { operation: 'createAgent', outcome: 'replayed' }),
    ]);
    for (let call = 0; call < 3; call += 1) {
      await team.client.succeed(getAgent, { params: { agent_id: agentId } });
    }
    const unknown = await team.client.request('GET', `/v2/agents/${randomUUID()}`);
    expect(unknown.status).toBe(404);
    const headers = { 'idempotency-key': randomUUID() };
    const again = { params: { teamId: team.id }, body: { name: 'Twice' }, headers };
    await team.client.succeed(createAgent, again);
    await team.client.succeed(createAgent, again);
    expect(await Promise.all(rises.map((rise) => rise()))).toEqual([3, 1, 3, 1, 3, 1, 1]);
  });

  it('tell what is wanted of a service that is not there', async () => {
    const labels = { target: 'connections', operation: 'listConnections', outcome: 'unavailable' };
    const rise = await riseOf('gateway', 'aos_rpc_client_duration_seconds_count', labels);
    const answer = await team.client.call(listConnections, { params: { teamId: team.id } });
    expect(answer).toMatchObject({ status: 503, body: { error: 'unavailable' } });
    expect(await rise()).toBe(1);
  });

  it('count calls of MCP tools', async () => {
    const labels = { tool: 'get_team', outcome: 'ok' };
    const rise = await riseOf('gateway', 'aos_mcp_tool_duration_seconds_count', labels);
    const client = await connectMcp(stack.urls[0]!, { key: team.key });
    await client.callTool({ name: 'get_team', arguments: {} });
    await client.close();
    expect(await rise()).toBe(1);
  });

  it('tell of runs: places, shares, waiting, steps and ends; of streams and waits; of a late outbox', async () => {
    const { path, letGo } = heldPath();
    const call = `tool http_request {"method": "GET", "url": "${stack.receiver.url(path)}"}`;
    const procedure = steps(call, 'finish Done');
    const [ofTeam, ofOther] = [await makeAgent(team, procedure), await makeAgent(other, procedure)];
    const [refusedByShare, refusedAsFull, waited, ended, called, models] = await Promise.all([
      riseOf('runs', 'aos_run_slots_refused_total', { reason: 'fairness' }),
      riseOf('runs', 'aos_run_slots_refused_total', { reason: 'full' }),
      riseOf('runs', 'aos_run_wait_seconds_count'),
      riseOf('runs', 'aos_runs_ended_total', { status: 'completed' }),
      riseOf('runs', 'aos_run_step_duration_seconds_count', { kind: 'tool', status: 'completed' }),
      riseOf('runs', 'aos_run_step_duration_seconds_count', { kind: 'model' }),
    ]);
    const start = async ({ client, id: teamId }: Team, agentId: string) => {
      const request = { params: { teamId }, body: { agent_id: agentId } };
      return (await client.succeed<{ run_id: string }>(startRun, request)).run_id;
    };
    const slots = (state: string) => read('runs', 'aos_run_slots', { state });
    const runs: string[] = [];
    for (let run = 0; run < 3; run += 1) runs.push(await start(team, ofTeam));
    await eventually(async () => expect([await slots('used'), await slots('free')]).toEqual([3, 1]));
    // The fourth of the team finds a place that is free, and not for it.
    await start(team, ofTeam);
    await eventually(async () => expect(await refusedByShare()).toBeGreaterThanOrEqual(1));
    expect(await refusedAsFull()).toBe(0);
    await start(other, ofOther);
    await eventually(async () => expect([await slots('used'), await slots('free')]).toEqual([4, 0]));
    await start(other, ofOther);
    await eventually(async () => expect(await refusedAsFull()).toBeGreaterThanOrEqual(1));
    await eventually(() => expect(receivedAt(stack.receiver, path)).toHaveLength(4));

    const stopped = new AbortController();
    const headers = { authorization: `Bearer ${team.key}`, accept: 'text/event-stream' };
    const stream = await fetch(`${stack.urls[0]!}/v2/runs/${runs[0]!}/events`, {
      headers,
      signal: stopped.signal,
    });
    expect(stream.status).toBe(200);
    const wait = makeRun(team, ofTeam);
    await eventually(async () => {
      expect(await read('gateway', 'aos_open_run_streams')).toBe(1);
      expect(await read('gateway', 'aos_open_run_waits')).toBe(1);
    });

    const release = await holdOutbox('agents_and_revisions');
    try {
      await publishDraft(team, ofTeam);
      await eventually(async () => {
        expect(await read('agents-and-revisions', 'aos_outbox_lag_seconds')).toBeGreaterThan(0);
        expect(await read('runs', 'aos_run_oldest_waiting_seconds')).toBeGreaterThan(0);
        expect(await read('runs', 'aos_runs', { status: 'running' })).toBe(4);
        expect(await read('runs', 'aos_runs', { status: 'pending' })).toBe(3);
      }, patient);
    } finally {
      await release();
    }
    stopped.abort();
    letGo();
    await wait;
    await eventually(async () => {
      expect(await ended()).toBe(7);
      expect(await called()).toBe(7);
      expect(await models()).toBeGreaterThanOrEqual(7);
      expect(await waited()).toBeGreaterThanOrEqual(3);
      expect([await slots('used'), await slots('free')]).toEqual([0, 4]);
      expect(await read('gateway', 'aos_open_run_streams')).toBe(0);
      expect(await read('gateway', 'aos_open_run_waits')).toBe(0);
      expect(await read('agents-and-revisions', 'aos_outbox_lag_seconds')).toBe(0);
      expect(await read('runs', 'aos_run_oldest_waiting_seconds')).toBe(0);
    }, patient);
  }, 120_000);

  it('count what the reconciler has mended, and what it gave up', async () => {
    const again = await riseOf('runs', 'aos_runs_recovered_total', { outcome: 'again' });
    const givenUp = await riseOf('runs', 'aos_runs_recovered_total', { outcome: 'given_up' });
    const agentId = await makeAgent(team, steps('approve Shall I?', 'finish Done'));
    const lost = [await makeRun(team, agentId), await makeRun(team, agentId)];
    // As workers leave them that die, one of them for too many times.
    await stack.database.query(
      `UPDATE runs.run SET status = 'running', lease_token = gen_random_uuid(), lease_until = now() - interval '1 minute',
              takeovers = CASE WHEN id = $2 THEN 10 ELSE 0 END WHERE id = ANY($1)`,
      [lost, lost[1]],
    );
    await eventually(async () => expect([await again(), await givenUp()]).toEqual([1, 1]), patient);
  });

  it('count events that come again, how old they were, and those that nobody can handle', async () => {
    const source = 'agents-and-revisions';
    const duplicates = await riseOf('webhook-dispatcher', 'aos_events_duplicate_total', { source });
    const handled = await riseOf('webhook-dispatcher', 'aos_event_lag_seconds_count', { source });
    await publishDraft(team);
    await eventually(async () => expect(await handled()).toBeGreaterThanOrEqual(1));
    const redis = new Redis(process.env['TEST_REDIS_URL']!);
    try {
      const stream = `${settings.REDIS_PREFIX}:events:${source}`;
      const [[, fields]] = (await redis.xrevrange(stream, '+', '-', 'COUNT', 1)) as [[string, string[]]];
      const events = (JSON.parse(fields[1]!) as unknown[]).length;
      await redis.xadd(stream, '*', ...fields);
      await eventually(async () => expect(await duplicates()).toBe(events));
    } finally {
      redis.disconnect();
    }
    await stack.database.query(
      `INSERT INTO billing.dead_event (id, source, position, event, error, attempts, next_attempt_at, created_at)
       VALUES ($1, 'runs', 1000000, '{}', 'Error: not now', 5, now() + interval '1 hour', now())`,
      [randomUUID()],
    );
    await eventually(async () => expect(await read('billing', 'aos_dead_events')).toBe(1), patient);
  });

  it('tell of deliveries: attempts, outcomes, places and what was overdue; of secrets that do not open', async () => {
    const name = (what: string) => `aos_webhook_${what}`;
    const rises = await Promise.all([
      riseOf('webhook-dispatcher', name('attempts_total'), { outcome: 'delivered' }),
      riseOf('webhook-dispatcher', name('attempts_total'), { outcome: 'failed' }),
      riseOf('webhook-dispatcher', name('deliveries_total'), { outcome: 'delivered' }),
      riseOf('webhook-dispatcher', name('deliveries_total'), { outcome: 'pending' }),
      riseOf('webhook-dispatcher', name('deliveries_total'), { outcome: 'dead' }),
      riseOf('webhook-dispatcher', name('attempt_seconds_count')),
    ]);
    const broken = `/broken-${randomBytes(4).toString('hex')}`;
    const { path, letGo } = heldPath();
    const agentId = await makeAgent(team);
    await makeWebhook(team, stack.receiver.url(path));
    await publishDraft(team, agentId);
    await eventually(() => expect(receivedAt(stack.receiver, path)).toHaveLength(1));
    // The only place is taken; another receiver has to wait for it, and is overdue meanwhile.
    await makeWebhook(other, stack.receiver.url(broken));
    const rebuilt = await riseOf('webhook-dispatcher', name('queues_rebuilt_total'));
    await publishDraft(other);
    await eventually(async () => {
      expect(await read('webhook-dispatcher', name('slots'), { state: 'used' })).toBe(1);
      expect(await read('webhook-dispatcher', name('slots'), { state: 'waiting' })).toBe(1);
      expect(await read('webhook-dispatcher', name('overdue_queues'))).toBe(1);
      expect(await rebuilt()).toBeGreaterThanOrEqual(1);
    }, patient);
    stack.receiver.behave((one) => ({ status: one.path === broken ? 500 : 200 }));
    letGo();
    // One is delivered; the other is tried twice, and given up.
    await eventually(
      async () => expect(await Promise.all(rises.map((rise) => rise()))).toEqual([1, 2, 1, 1, 1, 3]),
      patient,
    );
    const unopened = await riseOf('webhook-dispatcher', name('secrets_unopened_total'), {
      reason: 'unknown_key',
    });
    await stack.database.query(
      `UPDATE webhook_dispatcher.webhook_secret SET sealed = regexp_replace(sealed, '^v1\\.[^.]+', 'v1.gone')`,
    );
    await publishDraft(team, agentId);
    await eventually(async () => expect(await unopened()).toBeGreaterThanOrEqual(1), patient);
  }, 120_000);

  /** Nothing that is recorded gets its number until it is let go, as when the relay hangs. */
  async function holdOutbox(schema: string): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: stack.database.url });
    await client.connect();
    await client.query(`BEGIN; SELECT 1 FROM ${schema}.outbox_head WHERE id = 1 FOR UPDATE`);
    return async () => {
      await client.query('ROLLBACK');
      await client.end();
    };
  }
});
