import { createRevision, getAgentRun, promoteRevision, resolveBuilds, updateRevision } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { procedureOf, startRuns, type RunsUnderTest } from './runs-under-test.js';

describe('the builds that runs are made of', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    runs = await startRuns();
  });

  afterAll(() => runs?.stop());

  async function draft(agentId: string, result: string): Promise<string> {
    const body = { config: configOf(result) };
    return (await runs.call(createRevision, { params: { agent_id: agentId }, body })).body.build_id;
  }

  async function resultOf(agentId: string, body?: object): Promise<string | null> {
    const { id } = await runs.start(agentId, body);
    return (await runs.reach(id, 'completed')).run.result;
  }

  async function buildOf(agentId: string, runId: string): Promise<object> {
    return (await runs.call(getAgentRun, { params: { agentId, runId } })).body.build;
  }

  const copies = () => runs.database.query<{ digest: string }>('SELECT digest FROM runs.build_copy');

  it('are the live ones of that moment, also behind one that was kept', async () => {
    const agentId = await runs.agent(['finish first']);
    expect(await resultOf(agentId)).toBe('first');
    expect(await resultOf(agentId)).toBe('first');
    const next = await draft(agentId, 'second');
    await runs.call(promoteRevision, { params: { build_id: next }, body: {} });
    expect(await resultOf(agentId)).toBe('second');
    expect(await resultOf(agentId)).toBe('second');
  });

  it('are told anew as long as they are drafts', async () => {
    const agentId = await runs.agent(['finish live']);
    const buildId = await draft(agentId, 'once');
    expect(await resultOf(agentId, { build_id: buildId })).toBe('once');
    const changed = { params: { agent_id: agentId, build_id: buildId }, body: { config: configOf('twice') } };
    expect(await runs.call(updateRevision, changed)).toMatchObject({ status: 200 });
    expect(await resultOf(agentId, { build_id: buildId })).toBe('twice');
    expect(await resultOf(agentId)).toBe('live');
  });

  it('are not told again to who keeps them, unless they can change', async () => {
    const services = runs.running.app.get(ServiceClient);
    const agentId = await runs.agent(['finish ok']);
    const item = { team_id: runs.teamId, agent_id: agentId };
    const tell = async (wanted: object) => {
      const { found } = await services.call(resolveBuilds, { wanted: [{ ...item, ...wanted }] });
      return found[0]!;
    };
    const live = await tell({});
    expect(live).toMatchObject({ agent_name: 'Tester', is_final: true, build: { agent_id: agentId } });
    const kept = await tell({ kept_build_id: live.build!.id });
    expect(kept).toEqual({ agent_name: 'Tester', is_final: true, has_rubrics: false });
    const buildId = await draft(agentId, 'draft');
    expect(await tell({ build_id: buildId, kept_build_id: buildId })).toMatchObject({
      is_final: false,
      build: { id: buildId },
    });
    expect(await tell({ kept_build_id: buildId })).toMatchObject({ build: { id: live.build!.id } });
  });

  it('are stored once, and again where the database has lost them', async () => {
    const agentId = await runs.agent(['finish ok']);
    const before = (await copies()).length;
    const first = await runs.start(agentId);
    await runs.start(agentId);
    expect(await copies()).toHaveLength(before + 1);
    await runs.database.query('DELETE FROM runs.build_copy');
    const started = await Promise.all(Array.from({ length: 5 }, () => runs.start(agentId)));
    expect(await copies()).toHaveLength(1);
    for (const { id } of started) {
      expect(await buildOf(agentId, id)).toEqual(await buildOf(agentId, first.id));
      expect((await runs.reach(id, 'completed')).run.result).toBe('ok');
    }
  });
});

function configOf(result: string): object {
  return { data: { input: procedureOf([`finish ${result}`]) } };
}
