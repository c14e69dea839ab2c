import { getRun, startRun } from '@aos/contracts';
import { eventually, ofStorm, pauseProcessFor, startEmbedded, type EmbeddedStores } from '@aos/testing';
import { makeAgent, steps } from '../../../src/sample-agents.js';
import { startStack, type Stack } from '../../../src/stack.js';
import { connectAdmin, newTeam, type Team } from '../../../src/team.js';

/** The long one exceeds all leases, and what a silent connection is given. */
const pauseMs = ofStorm({ short: 4_000, long: 45_000 });
const clients = ofStorm({ short: 4, long: 8 });
const maxTotalMs = pauseMs + 120_000;
const services = ['agents-and-revisions', 'runs', 'connections', 'billing', 'webhook-dispatcher'] as const;
const said = ['one', 'two', 'Done'];

describe('the product while one of its processes stands still', () => {
  let stores: EmbeddedStores;
  let stack: Stack;
  let team: Team;
  let agentId: string;

  beforeAll(async () => {
    stores = await startEmbedded();
    stack = await startStack({
      together: false,
      services,
      stores,
      environment: { RPC_TIMEOUT_MS: '3000', RUN_LEASE_MS: '5000', LOG_LEVEL: 'error' },
    });
    team = await newTeam(await connectAdmin(stack));
    agentId = await makeAgent(team, steps('say one', 'wait 200', 'say two', 'finish Done'));
  });

  afterAll(async () => {
    await stack?.stop();
    await stores?.stop();
  });

  const start = () =>
    team.client.call(startRun, { params: { teamId: team.id }, body: { agent_id: agentId, message: 'go' } });

  /** Starts runs as long as the work takes; gives the ids of those that were accepted, and all statuses. */
  async function loadDuring(work: () => Promise<void>) {
    const accepted: string[] = [];
    const statuses = new Set<number>();
    let isOver = false;
    const load = Array.from({ length: clients }, async () => {
      while (!isOver) {
        const { status, body } = await start();
        statuses.add(status);
        if (status === 201) accepted.push((body as { run_id: string }).run_id);
      }
    });
    await work().finally(() => (isOver = true));
    await Promise.all(load);
    return { accepted, statuses };
  }

  /** The position up to which each consumer has handled the event log of `runs`. */
  async function consumersBehind(): Promise<unknown[]> {
    const positions = services.filter((name) => name === 'billing' || name === 'webhook-dispatcher');
    const behind = positions.map((name) => {
      const schema = name.replaceAll('-', '_');
      return `SELECT '${name}' AS name FROM ${schema}.event_position, runs.outbox_head AS head
               WHERE source = 'runs' AND event_position.position < head.position`;
    });
    return stack.database.query(behind.join(' UNION ALL '));
  }

  const paused = (name: string): number => {
    if (name === 'Postgres') return stores.postgres.pid;
    if (name === 'Redis') return stores.redis.pid;
    return stack.processes.find(({ service }) => service === name)!.pid;
  };

  it.each(['gateway', ...services, 'Postgres', 'Redis'])(
    'refuses or answers, and ends all that it accepted: %s',
    async (name) => {
      const { accepted, statuses } = await loadDuring(async () => {
        await eventually(async () => expect((await start()).status).toBe(201));
        await pauseProcessFor(paused(name), pauseMs);
        await eventually(async () => expect((await start()).status).toBe(201), { timeoutMs: 40_000 });
      });
      expect([201, 503]).toEqual(expect.arrayContaining([...statuses]));
      expect(accepted.length).toBeGreaterThan(0);
      await eventually(async () => expect(await unended()).toEqual([]), { timeoutMs: 60_000, everyMs: 250 });
      const ids = await stack.database.query<{ id: string }>('SELECT id FROM runs.run');
      const stored = new Set(ids.map(({ id }) => id));
      expect(accepted.filter((id) => !stored.has(id))).toEqual([]);
      expect(await notAsTheyShould()).toEqual([]);
      await eventually(async () => expect(await consumersBehind()).toEqual([]), { timeoutMs: 60_000 });
      await eventually(async () => {
        const shown = await team.client.call(getRun, { params: { run_id: accepted[0]! } });
        expect(shown).toMatchObject({ status: 200, body: { run: { status: 'completed' } } });
      });
    },
    maxTotalMs,
  );

  const unended = () =>
    stack.database.query(`SELECT id, status, error FROM runs.run WHERE status <> 'completed'`);

  /** Runs that have said something else, or twice. */
  const notAsTheyShould = () =>
    stack.database.query(
      `SELECT run_id, array_agg(text_content ORDER BY seq) AS said FROM runs.run_message
        WHERE role = 'assistant' GROUP BY run_id HAVING array_agg(text_content ORDER BY seq) <> $1`,
      [said],
    );
});
