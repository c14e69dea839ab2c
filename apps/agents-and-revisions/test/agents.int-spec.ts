import {
  createAgent,
  createCaseTrigger,
  createQueue,
  createRevision,
  deleteAgent,
  getAgent,
  listAgentRevisions,
  listAgents,
  updateAgent,
  updateCaseTrigger,
  updateRevision,
} from '@aos/contracts';
import type { RunningService } from '@aos/service';
import {
  createProductDatabase,
  startServiceHere,
  startTestClient,
  TeamCaller,
  testEnvironment,
  type TestClient,
  type TestDatabase,
} from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { startAgents, type AgentsUnderTest } from './agents-under-test.js';

describe('agents', () => {
  let agents: AgentsUnderTest;
  /** It knows the case triggers that a list shows. */
  let runs: RunningService | undefined;

  beforeAll(async () => {
    agents = await startAgents();
    runs = await startServiceHere('runs', agents.environment);
  });

  afterAll(async () => {
    await runs?.close();
    await agents?.stop();
  });

  async function make(body: object = {}): Promise<string> {
    const answer = await agents.call(createAgent, { params: { teamId: agents.teamId }, body });
    expect(answer.status).toBe(201);
    return answer.body.agent_id;
  }

  it('is made with warnings if its runs will fail, and so are its revisions', async () => {
    const config = { data: { models: { agent: { model: 'openai/gpt-9' } } } };
    const warnings = [expect.stringContaining('have the operator set OPENAI_API_KEY')];
    const { body: made } = await agents.call(createAgent, {
      params: { teamId: agents.teamId },
      body: { build: { config } },
    });
    expect(made.warnings).toEqual(warnings);
    const params = { agent_id: made.agent_id };
    const draft = await agents.call(createRevision, { params, body: { config } });
    expect(draft.body.warnings).toEqual(warnings);
    const mended = await agents.call(updateRevision, {
      params: { build_id: draft.body.build_id },
      body: { config: { data: { models: { agent: { model: 'builtin/scripted' } } } } },
    });
    expect(mended.body.warnings).toEqual([]);
  });

  it('is listed with fewer others where they are large, and so are its revisions', async () => {
    const teamId = uuidv7();
    const count = 12;
    const made: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const answer = await agents.call(createAgent, { params: { teamId }, teamId });
      made.unshift(answer.body.agent_id);
    }
    const [agent] = made;
    await agents.database.query(
      `INSERT INTO agents_and_revisions.build (id, agent_id, team_id, name, revision_number, status, config, created_at, updated_at)
       SELECT gen_random_uuid(), agent_id, team_id, name, 1 + n, 'draft', config, now(), now()
         FROM agents_and_revisions.build, generate_series(1, ${count - 1}) AS n WHERE agent_id = $1`,
      [agent],
    );
    await agents.database.query(
      `UPDATE agents_and_revisions.agent SET last_revision_number = ${count} WHERE id = $1`,
      [agent],
    );
    await agents.database.query(
      `UPDATE agents_and_revisions.build
          SET config = jsonb_set(config, '{data,input}', to_jsonb(repeat('€', 200000))) WHERE team_id = $1`,
      [teamId],
    );
    const pages = async <T>(read: (offset: number) => Promise<{ total: number; items: T[] }>) => {
      const seen: T[] = [];
      while (seen.length < count) {
        const { total, items } = await read(seen.length);
        expect(total).toBe(count);
        expect(items.length).toBeGreaterThan(0);
        expect(items.length).toBeLessThan(count);
        seen.push(...items);
      }
      return seen;
    };
    const listed = await pages(async (offset) => {
      const query = { limit: '100', offset: String(offset) };
      const { body } = await agents.call(listAgents, { params: { teamId }, query, teamId });
      expect(body).toMatchObject({ limit: 100, offset });
      return { total: body.total, items: body.agents.map(({ id }) => id) };
    });
    expect(listed).toEqual(made);
    const revisions = await pages(async (offset) => {
      const query = { limit: '100', offset: String(offset) };
      const params = { agent_id: agent! };
      const { body } = await agents.call(listAgentRevisions, { params, query, teamId });
      return { total: body.total, items: body.builds.map(({ revision_number: number }) => number) };
    });
    expect(revisions).toEqual(Array.from({ length: count }, (_, index) => count - index));
  });

  it('has a live first revision and sensible defaults without any body', async () => {
    const { status, body } = await agents.call(createAgent, { params: { teamId: agents.teamId } });
    expect(status).toBe(201);
    expect(body.agent).toMatchObject({
      id: body.agent_id,
      agent_id: body.agent_id,
      team_id: agents.teamId,
      name: 'Untitled agent',
      description: null,
      live_build_id: body.build.id,
      last_run_at: null,
    });
    expect(body.build).toMatchObject({
      agent_id: body.agent_id,
      status: 'live',
      revision_number: 1,
      parent_build_id: null,
      config: {
        version: 'v2',
        data: {
          models: { agent: { model: 'builtin/scripted' } },
          input: '',
          connections: [],
          sub_agents: [],
          options: { max_steps: 50, timeout_seconds: 3600 },
        },
      },
    });
  });

  it('is read, changed and listed by its team alone', async () => {
    const id = await make({ name: 'Clerk', description: 'files things' });
    const changed = await agents.call(updateAgent, {
      params: { agent_id: id },
      body: { description: null, agentic_memory_enabled: false },
    });
    expect(changed.body.agent).toMatchObject({
      name: 'Clerk',
      description: null,
      agentic_memory_enabled: false,
    });
    const stranger = uuidv7();
    for (const operation of [getAgent, updateAgent, deleteAgent]) {
      const foreign = await agents.call(operation, { params: { agent_id: id }, teamId: stranger });
      const unknown = await agents.call(operation, { params: { agent_id: uuidv7() } });
      expect(foreign.status).toBe(404);
      expect(foreign.body).toEqual(unknown.body);
    }
    const theirs = await agents.call(listAgents, { params: { teamId: stranger }, teamId: stranger });
    expect(theirs.body).toEqual({ agents: [], total: 0, limit: 20, offset: 0 });
    expect((await agents.call(getAgent, { params: { agent_id: id } })).body.agent.name).toBe('Clerk');
  });

  it('is listed newest first, page by page, with an exact total', async () => {
    const teamId = uuidv7();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const made = await agents.call(createAgent, {
        params: { teamId },
        teamId,
        body: { name: `a${index}` },
      });
      ids.unshift(made.body.agent_id);
    }
    const query = { limit: '2', offset: '1', include_schedules: 'true' };
    const { body } = await agents.call(listAgents, { params: { teamId }, teamId, query });
    expect(Object.keys(body).sort()).toEqual(['agents', 'limit', 'offset', 'total']);
    expect(body).toMatchObject({ total: 5, limit: 2, offset: 1 });
    expect(body.agents.map(({ id }) => id)).toEqual(ids.slice(1, 3));
    expect(body.agents[0]).toMatchObject({ latest_build: { revision_number: 1 }, schedules: [] });
    await agents.call(deleteAgent, { params: { agent_id: ids[0]! }, teamId });
    const after = await agents.call(listAgents, { params: { teamId }, teamId });
    expect(after.body.total).toBe(4);
    expect(after.body.agents[0]).not.toHaveProperty('schedules');
  });

  it('is listed with the queue whose cases it takes, and the agents that take them too', async () => {
    const teamId = uuidv7();
    const call: AgentsUnderTest['call'] = (operation, given) => agents.call(operation, { ...given, teamId });
    const made: string[] = [];
    for (const name of ['Other', 'Taker', 'Idle', 'Free']) {
      made.push((await call(createAgent, { params: { teamId }, body: { name } })).body.agent_id);
    }
    const [other, taker, idle, free] = made as [string, string, string, string];
    const queue = async (name: string) => {
      const { body } = await call(createQueue, { params: { teamId }, body: { name } });
      return body.queue_id;
    };
    const [invoices, refunds] = [await queue('Invoices'), await queue('Refunds')];
    const serve = (agentId: string, case_queue_id: string, enabled = true) =>
      call(createCaseTrigger, { params: { agent_id: agentId }, body: { case_queue_id, enabled } });
    await serve(other, invoices);
    await serve(idle, invoices, false);
    const { body: trigger } = await serve(taker, invoices);
    const listed = async (agentId: string) => {
      const { body } = await call(listAgents, { params: { teamId } });
      return body.agents.find(({ id }) => id === agentId);
    };
    const none = {
      case_trigger_enabled: false,
      case_trigger_has_conflict: false,
      case_trigger_conflicting_agents: [],
      case_queue_name: null,
    };
    expect(await listed(taker)).toMatchObject({
      case_trigger_enabled: true,
      case_trigger_has_conflict: true,
      case_trigger_conflicting_agents: [{ agent_id: other, name: 'Other' }],
      case_queue_name: 'Invoices',
    });
    expect(await listed(idle)).toMatchObject(none);
    expect(await listed(free)).toMatchObject(none);
    const params = { agent_id: taker, trigger_id: trigger.trigger_id };
    await call(updateCaseTrigger, { params, body: { case_queue_id: refunds } });
    expect(await listed(taker)).toMatchObject({
      ...none,
      case_trigger_enabled: true,
      case_queue_name: 'Refunds',
    });
    await call(updateCaseTrigger, { params, body: { enabled: false } });
    expect(await listed(taker)).toMatchObject(none);
  });

  it('counts exactly when many are made at once', async () => {
    const teamId = uuidv7();
    await Promise.all(
      Array.from({ length: 40 }, () => agents.call(createAgent, { params: { teamId }, teamId })),
    );
    const { body } = await agents.call(listAgents, { params: { teamId }, teamId, query: { limit: '1' } });
    expect(body.total).toBe(40);
  });

  it('is gone after it was deleted, and others are told', async () => {
    const id = await make();
    const gone = await agents.call(deleteAgent, { params: { agent_id: id } });
    expect(gone).toMatchObject({ status: 200, body: { success: true, schedules_deleted: 0 } });
    expect((await agents.call(getAgent, { params: { agent_id: id } })).status).toBe(404);
    expect((await agents.call(deleteAgent, { params: { agent_id: id } })).status).toBe(404);
    const events = await agents.database.query(
      `SELECT event, team_id FROM agents_and_revisions.logged_event WHERE data->>'agent_id' = $1`,
      [id],
    );
    expect(events).toEqual([{ event: 'agent.deleted', team_id: agents.teamId }]);
  });

  it('is made once for a key, however often it is asked for', async () => {
    const key = uuidv7();
    const params = { teamId: agents.teamId };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => agents.call(createAgent, { params, key, body: { name: 'Once' } })),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body.agent_id)).size).toBe(1);
    expect(
      answers
        .filter(({ status }) => status !== 201)
        .every(({ body }) => body.error === 'idempotency_in_progress'),
    ).toBe(true);
    const again = await agents.call(createAgent, { params, key, body: { name: 'Once' } });
    expect(again).toMatchObject({ replayed: true, body: made[0]!.body });
    const rows = await agents.database.query(`SELECT id FROM agents_and_revisions.agent WHERE name = 'Once'`);
    expect(rows).toHaveLength(1);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 7 }, 'name'],
    [{ build: { config: { version: 'v1' } } }, 'build.config.version'],
    [
      { build: { config: { data: { models: { browsing: { model: 'gpt-5' } } } } } },
      'build.config.data.models.browsing',
    ],
    [
      { build: { config: { data: { models: { agent: { model: 'llama-3' } } } } } },
      'build.config.data.models.agent.model',
    ],
    [{ build: { config: { data: { options: { max_steps: 0 } } } } }, 'build.config.data.options.max_steps'],
    [{ build: { config: { data: { connections: ['x'] } } } }, 'build.config.data.connections.0'],
    [{ build: { config: { data: { input: 3 } } } }, 'build.config.data.input'],
  ])('refuses %j and names the place', async (body, place) => {
    const answer = await agents.call(createAgent, { params: { teamId: agents.teamId }, body });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(`${place}: `);
  });

  it('takes every provider it knows', async () => {
    for (const model of ['openai/gpt-5', 'anthropic/claude', 'compatible/org/model:tag']) {
      await make({ build: { config: { data: { models: { agent: { model } } } } } });
    }
  });
});

describe('agents while the run service is away', () => {
  let database: TestDatabase;
  let service: RunningService;
  let client: TestClient;

  beforeAll(async () => {
    database = await createProductDatabase();
    const environment = testEnvironment({ DATABASE_URL: database.url, LOG_LEVEL: 'error' });
    service = await startServiceHere('agents-and-revisions', environment);
    client = startTestClient(environment);
  });

  afterAll(async () => {
    client?.close();
    await service?.close();
    await database?.drop();
  });

  it('are listed without what it alone knows', async () => {
    const team = new TeamCaller(client.services);
    const params = { teamId: team.teamId };
    const { agent_id: id } = await team.succeed(createAgent, { params, body: {} });
    const { agents } = await team.succeed(listAgents, { params });
    expect(agents.map(({ agent_id }) => agent_id)).toEqual([id]);
    expect(Object.keys(agents[0]!).filter((field) => field.startsWith('case_'))).toEqual([]);
  });
});
