import {
  createAgent,
  createEvalRubric,
  createRevision,
  getAgent,
  getEvalRubrics,
  getRevision,
  listAgentRevisions,
  promoteRevision,
  rollbackAgent,
  updateRevision,
} from '@aos/contracts';
import { uuidv7 } from 'uuidv7';
import { startAgents, type AgentsUnderTest } from './agents-under-test.js';

describe('revisions', () => {
  let agents: AgentsUnderTest;

  beforeAll(async () => {
    agents = await startAgents();
  });

  afterAll(() => agents?.stop());

  async function makeAgent(): Promise<{ agent: string; first: string }> {
    const { body } = await agents.call(createAgent, { params: { teamId: agents.teamId } });
    return { agent: body.agent_id, first: body.build.id };
  }

  async function draft(agent: string, body: object = {}): Promise<string> {
    const answer = await agents.call(createRevision, { params: { agent_id: agent }, body });
    expect(answer).toMatchObject({ status: 201, body: { status: 'draft', build: { status: 'draft' } } });
    return answer.body.build_id;
  }

  async function liveBuilds(agent: string): Promise<string[]> {
    const rows = await agents.database.query<{ id: string }>(
      `SELECT id FROM agents_and_revisions.build WHERE agent_id = $1 AND status = 'live'`,
      [agent],
    );
    return rows.map(({ id }) => id);
  }

  const promote = (build: string, body: object = {}) =>
    agents.call(promoteRevision, { params: { build_id: build }, body });

  it('copies the live one with its rubrics, or what it is told to', async () => {
    const { agent, first } = await makeAgent();
    const rubric = { title: 'Polite tone', description: 'The answer says "please" to the customer.' };
    await agents.call(createEvalRubric, { params: { agentId: agent }, body: rubric });
    const copy = await draft(agent, { name: 'Second' });
    const read = await agents.call(getRevision, { params: { agent_id: agent, build_id: copy } });
    expect(read.body.build).toMatchObject({ name: 'Second', revision_number: 2, parent_build_id: first });
    const rubrics = await agents.call(getEvalRubrics, {
      params: { agentId: agent },
      query: { build_id: copy },
    });
    expect(rubrics.body.rubrics).toMatchObject([{ ...rubric, build_id: copy, version: 1 }]);
    const third = await draft(agent, { source_build_id: copy, config: { data: { input: 'Do it.' } } });
    const other = await agents.call(getRevision, { params: { agent_id: agent, build_id: third } });
    expect(other.body.build).toMatchObject({ parent_build_id: copy, config: { data: { input: 'Do it.' } } });
  });

  it('lists newest first with an exact total and exactly the fields of the wrapper', async () => {
    const { agent, first } = await makeAgent();
    const second = await draft(agent);
    const { body } = await agents.call(listAgentRevisions, {
      params: { agent_id: agent },
      query: { limit: '5' },
    });
    expect(body.builds.map(({ id }) => id)).toEqual([second, first]);
    expect({ ...body, builds: [] }).toEqual({ builds: [], total: 2, limit: 5, offset: 0 });
  });

  it('changes a draft and nothing else', async () => {
    const { agent, first } = await makeAgent();
    const id = await draft(agent);
    const changed = await agents.call(updateRevision, {
      params: { build_id: id },
      body: { name: 'Renamed', config: { data: { input: 'New.' } } },
    });
    expect(changed.body.build).toMatchObject({ name: 'Renamed', config: { data: { input: 'New.' } } });
    await promote(id);
    for (const build of [first, id]) {
      const refused = await agents.call(updateRevision, { params: { build_id: build }, body: { name: 'x' } });
      expect(refused).toMatchObject({ status: 409, body: { error: 'invalid_state' } });
    }
  });

  it('labels any revision, and takes a label away with null', async () => {
    const { agent, first } = await makeAgent();
    const live = await draft(agent);
    await promote(live);
    const labels = { revision_name: 'Launch', revision_description: 'The first public one.' };
    for (const build of [first, live, await draft(agent)]) {
      const params = { build_id: build };
      const labelled = await agents.call(updateRevision, { params, body: labels });
      expect(labelled).toMatchObject({ status: 200, body: { build: labels } });
      const cleared = await agents.call(updateRevision, { params, body: { revision_name: null } });
      expect(cleared.body.build).toMatchObject({ ...labels, revision_name: null });
      const read = await agents.call(getRevision, { params: { agent_id: agent, build_id: build } });
      expect(read.body.build).toMatchObject({ ...labels, revision_name: null });
    }
    const refused = await agents.call(updateRevision, {
      params: { build_id: live },
      body: { revision_name: 'Not alone', name: 'x' },
    });
    expect(refused).toMatchObject({ status: 409, body: { error: 'invalid_state' } });
    const kept = await agents.call(getRevision, { params: { agent_id: agent, build_id: live } });
    expect(kept.body.build).toMatchObject({ revision_name: null });
  });

  it('stores and shows the prefixed model and the joined procedure', async () => {
    const { agent } = await makeAgent();
    const { body } = await agents.call(createRevision, {
      params: { agent_id: agent },
      body: {
        name: null,
        config: {
          data: {
            models: { agent: { model: 'claude-sonnet-4-5' } },
            input: [
              { role: 'system', content: 'Be kind.' },
              { role: 'user', content: 'Answer.' },
            ],
            subAgents: [agent],
            plugins: null,
          },
        },
      },
    });
    const read = await agents.call(getRevision, { params: { agent_id: agent, build_id: body.build_id } });
    for (const { config } of [body.build, read.body.build]) {
      expect(config.data).toMatchObject({
        models: { agent: { model: 'anthropic/claude-sonnet-4-5' } },
        input: 'Be kind.\n\nAnswer.',
        sub_agents: [agent],
      });
      expect(config.data).not.toHaveProperty('plugins');
    }
  });

  it('promotes: the old live one becomes historic, the event is recorded once', async () => {
    const { agent, first } = await makeAgent();
    const id = await draft(agent);
    const promoted = await promote(id, {
      revision_name: 'Launch',
      revision_description: 'First public one.',
    });
    expect(promoted).toMatchObject({
      status: 200,
      body: {
        success: true,
        status: 'live',
        build: { status: 'live', revision_name: 'Launch', revision_description: 'First public one.' },
      },
    });
    expect((await promote(id)).status).toBe(200);
    expect((await agents.call(getAgent, { params: { agent_id: agent } })).body.agent.live_build_id).toBe(id);
    const old = await agents.call(getRevision, { params: { agent_id: agent, build_id: first } });
    expect(old.body.build.status).toBe('historic');
    const events = await agents.database.query(
      `SELECT data FROM agents_and_revisions.logged_event WHERE event = 'assignment.build.published' AND data->>'agent_id' = $1`,
      [agent],
    );
    expect(events).toEqual([{ data: { agent_id: agent, build_id: id, revision_number: 2 } }]);
  });

  it('rolls back step by step, and not beyond the first', async () => {
    const { agent, first } = await makeAgent();
    const [second, third] = [await draft(agent), await draft(agent)];
    await promote(second);
    await promote(third);
    const back = () => agents.call(rollbackAgent, { params: { agent_id: agent } });
    expect((await back()).body.build_id).toBe(second);
    expect((await back()).body.build_id).toBe(first);
    expect(await back()).toMatchObject({ status: 409, body: { error: 'invalid_state' } });
    expect(await liveBuilds(agent)).toEqual([first]);
  });

  it('leaves exactly one live under 50 parallel promotions of 10 builds', async () => {
    const { agent } = await makeAgent();
    const builds: string[] = [];
    for (let index = 0; index < 10; index += 1) builds.push(await draft(agent));
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => promote(builds[index % 10]!)));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const live = await liveBuilds(agent);
    expect(live).toHaveLength(1);
    expect((await agents.call(getAgent, { params: { agent_id: agent } })).body.agent.live_build_id).toBe(
      live[0],
    );
  });

  it('is kept true by the database: neither two live builds nor none', async () => {
    const { agent, first } = await makeAgent();
    const id = await draft(agent);
    const set = (build: string, status: string) =>
      agents.database.query(`UPDATE agents_and_revisions.build SET status = $2 WHERE id = $1`, [
        build,
        status,
      ]);
    await expect(set(id, 'live')).rejects.toThrow('build_one_live');
    await expect(set(first, 'historic')).rejects.toThrow('agent_live_build');
  });

  it('does not show one team what is another’s', async () => {
    const { agent, first } = await makeAgent();
    const stranger = uuidv7();
    const foreign = await agents.call(promoteRevision, { params: { build_id: first }, teamId: stranger });
    const unknown = await agents.call(promoteRevision, { params: { build_id: uuidv7() } });
    expect(foreign).toMatchObject({ status: 404, body: unknown.body });
    const other = await makeAgent();
    const mixed = await agents.call(getRevision, { params: { agent_id: other.agent, build_id: first } });
    expect(mixed.status).toBe(404);
    const source = await agents.call(createRevision, {
      params: { agent_id: other.agent },
      body: { source_build_id: first },
    });
    expect(source.status).toBe(404);
    expect(agent).not.toBe(other.agent);
  });
});
