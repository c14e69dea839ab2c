import {
  acceptRevision,
  discardRevision,
  getRevision,
  getRevisionBuilderRun,
  listAgentRevisions,
  promoteRevision,
} from '@aos/contracts';
import { BuilderUnderTest } from './builder-under-test.js';

describe('proposals of builder runs', () => {
  let builders: BuilderUnderTest;

  beforeAll(async () => {
    builders = await BuilderUnderTest.prepare();
    await builders.startHere();
  });

  afterAll(() => builders?.stop());

  describe('accepted', () => {
    it('on a draft, become its config', async () => {
      const { agentId } = await builders.makeAgent();
      const draft = await builders.makeDraft(agentId);
      const { id, proposed_config: proposal } = await builders.proposal(draft);
      const answer = await builders.onBuild(acceptRevision, draft);
      expect(answer).toMatchObject({
        status: 200,
        body: { build_id: draft, status: 'draft', build: { config: proposal! }, builder_run: { id } },
      });
      expect(answer.body.builder_run).toMatchObject({ status: 'completed', proposed_config: proposal! });
      expect(answer.body.builder_run.completed_at).not.toBeNull();
      const read = await builders.call(getRevision, { params: { agent_id: agentId, build_id: draft } });
      expect(read.body.build.config).toEqual(proposal);
    });

    it('on a live build, become a draft child of it', async () => {
      const { agentId, buildId } = await builders.makeAgent();
      const { proposed_config: proposal } = await builders.proposal(buildId);
      const answer = await builders.onBuild(acceptRevision, buildId);
      expect(answer.body).toMatchObject({
        status: 'draft',
        build: { parent_build_id: buildId, revision_number: 2, config: proposal! },
        builder_run: { build_id: buildId, status: 'completed' },
      });
      expect(answer.body.build_id).not.toBe(buildId);
      const live = await builders.call(getRevision, { params: { agent_id: agentId, build_id: buildId } });
      expect(live.body.build).toMatchObject({ status: 'live', config: { data: { input: '' } } });
    });

    it('on a historic build, become a draft child of it', async () => {
      const { agentId, buildId } = await builders.makeAgent();
      await builders.onBuild(promoteRevision, await builders.makeDraft(agentId));
      await builders.proposal(buildId);
      const answer = await builders.onBuild(acceptRevision, buildId);
      expect(answer.body).toMatchObject({ status: 'draft', build: { parent_build_id: buildId } });
    });

    it('once, however many accept at the same time', async () => {
      const { agentId, buildId } = await builders.makeAgent();
      await builders.proposal(buildId);
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => builders.onBuild(acceptRevision, buildId)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
      const list = await builders.call(listAgentRevisions, { params: { agent_id: agentId } });
      expect(list.body.total).toBe(2);
    });

    it('or discarded, never both', async () => {
      const { agentId } = await builders.makeAgent();
      const draft = await builders.makeDraft(agentId);
      await builders.proposal(draft);
      const answers = await Promise.all(
        [acceptRevision, discardRevision, acceptRevision, discardRevision].map((operation) =>
          builders.onBuild(operation, draft),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
      const { status } = answers.find((answer) => answer.status === 200)!.body.builder_run;
      expect((await builders.onBuild(getRevisionBuilderRun, draft)).body.status).toBe(status);
    });
  });

  it('discarded, leave the build as it was, and the next may begin', async () => {
    const { buildId } = await builders.makeAgent();
    const { id } = await builders.proposal(buildId);
    const answer = await builders.onBuild(discardRevision, buildId);
    expect(answer).toMatchObject({
      status: 200,
      body: { build_id: buildId, status: 'live', build: { config: { data: { input: '' } } } },
    });
    expect(answer.body.builder_run).toMatchObject({ id, status: 'discarded' });
    expect(answer.body.builder_run.completed_at).not.toBeNull();
    const next = await builders.proposal(buildId);
    expect((await builders.onBuild(getRevisionBuilderRun, buildId)).body.builder_run_id).toBe(next.id);
  });

  it.each(['pending', 'running', 'waiting', 'completed', 'discarded', 'failed'])(
    'are neither accepted nor discarded while %s',
    async (status) => {
      const { buildId } = await builders.makeAgent();
      const { id } = await builders.proposal(buildId);
      await builders.database.query(
        `UPDATE agents_and_revisions.builder_run
            SET status = $2, lease_until = now() + interval '1 hour', lease_token = gen_random_uuid()
          WHERE id = $1`,
        [id, status],
      );
      for (const operation of [acceptRevision, discardRevision]) {
        const answer = await builders.onBuild(operation, buildId);
        expect(answer).toMatchObject({ status: 409, body: { error: 'invalid_state' } });
        // The worker may have taken a pending one by now.
        expect(answer.body.message).toContain('its latest builder run is');
      }
    },
  );

  it('are neither accepted nor discarded where there is none', async () => {
    const { buildId } = await builders.makeAgent();
    for (const operation of [acceptRevision, discardRevision]) {
      expect(await builders.onBuild(operation, buildId)).toMatchObject({
        status: 409,
        body: { error: 'invalid_state' },
      });
    }
    expect(await builders.onBuild(getRevisionBuilderRun, buildId)).toMatchObject({ status: 404 });
  });
});
