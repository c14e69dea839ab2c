import {
  acceptRevision,
  deleteAgent,
  discardRevision,
  generateRevision,
  getBuilderRunStatus,
  getRevisionBuilderRun,
  promoteRevision,
  resumeBuilderRun,
} from '@aos/contracts';
import { schemaDrift } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { service } from '../src/index.js';
import { BuilderUnderTest, clearPrompt } from './builder-under-test.js';

const openPrompt = 'Improve the present procedure.';

describe('builder runs', () => {
  let builders: BuilderUnderTest;

  beforeAll(async () => {
    builders = await BuilderUnderTest.prepare();
    await builders.startHere();
  });

  afterAll(() => builders?.stop());

  const resume = (id: string, answers: unknown) =>
    builders.call(resumeBuilderRun, { params: { builder_run_id: id }, body: { answers } });
  /** Answers everything that a run asks. */
  const answersTo = async (id: string, answer: string) => {
    const { pending_user_questions: pending } = await builders.until(id, 'waiting');
    return Object.fromEntries(pending!.questions.map(({ question }) => [question, answer]));
  };

  it('has tables as its entities say', async () => {
    expect(await schemaDrift(service, builders.database.url)).toEqual([]);
  });

  it('begin as pending and end with a proposal to review', async () => {
    const { agentId, buildId } = await builders.makeAgent({ plugins: ['files'], options: { max_steps: 9 } });
    const answer = await builders.onBuild(generateRevision, buildId, { prompt: ` ${clearPrompt} ` });
    const { builder_run: run } = answer.body;
    expect(answer).toMatchObject({
      status: 202,
      body: { builder_run_id: run.id, status: 'pending' },
    });
    expect(run).toEqual({
      id: run.id,
      builder_run_id: run.id,
      build_id: buildId,
      agent_id: agentId,
      status: 'pending',
      prompt: clearPrompt,
      progress: { phase: 'queued', percent: 0 },
      pending_user_questions: null,
      checkpoint_config: expect.objectContaining({ version: 'v2' }) as unknown,
      proposed_config: null,
      error: null,
      created_at: expect.stringMatching(/Z$/) as unknown,
      started_at: null,
      completed_at: null,
    });
    const done = await builders.until(run.id, 'awaiting_review');
    expect(done).toMatchObject({
      progress: { phase: 'done', percent: 100 },
      completed_at: null,
      error: null,
    });
    expect(done.started_at).not.toBeNull();
    expect(done.proposed_config).toMatchObject({ data: { plugins: ['files'], options: { max_steps: 9 } } });
    expect(done.proposed_config!.data!.input).toContain(clearPrompt);
    expect(done.checkpoint_config).toEqual(run.checkpoint_config);
    expect(await builders.row(run.id)).toMatchObject({ draft_config: null, lease_token: null });
  });

  it('ask what the prompt leaves open, and go on with the answers', async () => {
    const { buildId } = await builders.makeAgent();
    const answer = await builders.onBuild(generateRevision, buildId);
    expect(answer.body.builder_run).toMatchObject({ prompt: openPrompt });
    const id = answer.body.builder_run_id;
    const waiting = await builders.until(id, 'waiting');
    expect(waiting).toMatchObject({ progress: { phase: 'clarifying' }, proposed_config: null });
    expect(waiting.pending_user_questions!.questions.map(({ header }) => header)).toEqual([
      'Goal',
      'Trigger',
      'Success',
    ]);
    const answers = await answersTo(id, 'sort the mail');
    const resumed = await resume(id, answers);
    expect(resumed).toMatchObject({
      status: 200,
      body: {
        builder_run_id: id,
        status: 'running',
        builder_run: { pending_user_questions: null, progress: { phase: 'drafting' } },
      },
    });
    const { proposed_config: proposal } = await builders.until(id, 'awaiting_review');
    const procedure = proposal!.data!.input!;
    expect(procedure).toContain(openPrompt);
    for (const question of Object.keys(answers)) expect(procedure).toContain(`${question}\n\nsort the mail`);
    expect(procedure).toContain('```steps\nsay ');
  });

  it('name each question that is missing or not asked', async () => {
    const { buildId } = await builders.makeAgent();
    const id = await builders.generate(buildId, 'Answer customer mails daily');
    const [question] = Object.keys(await answersTo(id, 'x')) as [string];
    for (const answers of [{}, { [question]: '' }, { [question]: [] }, undefined]) {
      const answer = await resume(id, answers);
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
      expect(answer.body.message).toBe(`answers.${question}: is missing`);
    }
    const unknown = await resume(id, { [question]: 'x', 'Who?': 'me', 'Where?': 'here' });
    expect(unknown.body.message).toBe('answers.Who?: is not asked; answers.Where?: is not asked');
    expect(await resume(id, { [question]: 5 })).toMatchObject({ status: 400 });
    expect((await builders.read(id)).status).toBe('waiting');
    expect((await resume(id, { [question]: ['all answered', 'none angry'] })).status).toBe(200);
    const { proposed_config: proposal } = await builders.until(id, 'awaiting_review');
    expect(proposal!.data!.input).toContain('all answered, none angry');
  });

  it('are resumed once, however many answer at the same time', async () => {
    const { buildId } = await builders.makeAgent();
    const id = await builders.generate(buildId, openPrompt);
    const answers = await answersTo(id, 'x');
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => resume(id, answers)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
    await builders.until(id, 'awaiting_review');
    const [row] = await builders.database.query<{ count: number }>(
      'SELECT jsonb_array_length(answers) AS count FROM agents_and_revisions.builder_run WHERE id = $1',
      [id],
    );
    expect(row!.count).toBe(3);
  });

  it('make one of 20 that are asked for at the same time', async () => {
    const { buildId } = await builders.makeAgent();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => builders.onBuild(generateRevision, buildId, { prompt: openPrompt })),
    );
    const refused = answers.filter(({ status }) => status === 409);
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(refused).toHaveLength(19);
    for (const { body } of refused) expect(body.error).toBe('invalid_state');
    const rows = await builders.database.query(
      'SELECT 1 FROM agents_and_revisions.builder_run WHERE build_id = $1',
      [buildId],
    );
    expect(rows).toHaveLength(1);
  });

  it('are one for a build even if the service took no care', async () => {
    const { buildId } = await builders.makeAgent();
    const id = await builders.generate(buildId);
    const copy = `INSERT INTO agents_and_revisions.builder_run (id, team_id, agent_id, build_id, status, phase,
        prompt, checkpoint_config, answers, job_id, created_at)
      SELECT $2, team_id, agent_id, build_id, $3, phase, prompt, checkpoint_config, answers, job_id, created_at
        FROM agents_and_revisions.builder_run WHERE id = $1`;
    for (const status of ['pending', 'running', 'waiting', 'awaiting_review']) {
      await expect(builders.database.query(copy, [id, uuidv7(), status])).rejects.toThrow(
        'builder_run_one_active',
      );
    }
    await builders.database.query(copy, [id, uuidv7(), 'failed']);
  });

  it('answer a repeated key with the first answer', async () => {
    const { buildId } = await builders.makeAgent();
    const request = { params: { build_id: buildId }, body: { prompt: openPrompt }, key: 'once' };
    const first = await builders.call(generateRevision, request);
    const again = await builders.call(generateRevision, request);
    expect(again).toEqual({ ...first, replayed: true });
    expect(first.status).toBe(202);
  });

  it.each(['completed', 'discarded', 'failed'])('may follow one that is %s', async (status) => {
    const { buildId } = await builders.makeAgent();
    const { id } = await builders.proposal(buildId);
    await builders.database.query('UPDATE agents_and_revisions.builder_run SET status = $2 WHERE id = $1', [
      id,
      status,
    ]);
    await builders.proposal(buildId);
  });

  it('are not resumed unless they wait', async () => {
    const { buildId } = await builders.makeAgent();
    const { id } = await builders.proposal(buildId);
    expect(await resume(id, {})).toMatchObject({ status: 409, body: { error: 'invalid_state' } });
    await builders.onBuild(discardRevision, buildId);
    expect(await resume(id, { 'Who?': 'me' })).toMatchObject({ status: 409 });
  });

  it('keep a build from being published while they work on it, but not while they await review', async () => {
    const { agentId } = await builders.makeAgent();
    const draft = await builders.makeDraft(agentId);
    const id = await builders.generate(draft, openPrompt);
    const answers = await answersTo(id, 'x');
    expect(await builders.onBuild(promoteRevision, draft)).toMatchObject({ status: 409 });
    await resume(id, answers);
    await builders.until(id, 'awaiting_review');
    expect(await builders.onBuild(promoteRevision, draft)).toMatchObject({ status: 200 });
    const accepted = await builders.onBuild(acceptRevision, draft);
    expect(accepted.body).toMatchObject({ status: 'draft', build: { parent_build_id: draft } });
  });

  it('fail when the proposal would be too long for a procedure', async () => {
    const { buildId } = await builders.makeAgent({ input: `Every day, until done. ${'x'.repeat(199_970)}` });
    const failed = await builders.until(await builders.generate(buildId), 'failed');
    expect(failed).toMatchObject({ progress: { phase: 'checking' }, proposed_config: null });
    expect(failed.error).toMatchObject({ code: 'invalid_proposal' });
    expect(failed.error!.message).toMatch(/^data\.input: /);
    expect(failed.completed_at).not.toBeNull();
  });

  it.each([
    ['prompt: ', { prompt: '' }],
    ['prompt: ', { prompt: 'x'.repeat(20_001) }],
    ['prompt: ', { prompt: 7 }],
  ])('are refused with a message that names %s', async (name, body) => {
    const { buildId } = await builders.makeAgent();
    const answer = await builders.onBuild(generateRevision, buildId, body);
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(answer.body.message).toContain(name);
  });

  it('never outlive their agent, however close to its end they begin', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => builders.makeAgent()));
    await Promise.all(
      made.map(async ({ agentId, buildId }, index) => {
        const begin = async () => {
          const { status } = await builders.onBuild(generateRevision, buildId, { prompt: openPrompt });
          expect([202, 404]).toContain(status);
        };
        const remove = async () => {
          const { status } = await builders.call(deleteAgent, { params: { agent_id: agentId } });
          expect(status).toBe(200);
        };
        await Promise.all(index % 2 === 0 ? [begin(), remove()] : [remove(), begin()]);
      }),
    );
    const agents = made.map(({ agentId }) => agentId);
    const left = await builders.database.query(
      `SELECT 1 FROM agents_and_revisions.builder_run WHERE agent_id = ANY($1) AND status <> 'discarded'`,
      [agents],
    );
    expect(left).toEqual([]);
  });

  it('of another team, of no one and of a deleted agent are not there', async () => {
    const { agentId, buildId } = await builders.makeAgent();
    const { id } = await builders.proposal(buildId);
    const outcomes = async (ids: { build: string; run: string }, teamId?: string) => {
      const byBuild = [generateRevision, getRevisionBuilderRun, acceptRevision, discardRevision];
      const byRun = [getBuilderRunStatus, resumeBuilderRun];
      const answers = await Promise.all([
        ...byBuild.map((operation) =>
          builders.call(operation, { params: { build_id: ids.build }, teamId, body: {} }),
        ),
        ...byRun.map((operation) =>
          builders.call(operation, { params: { builder_run_id: ids.run }, teamId, body: {} }),
        ),
      ]);
      return answers.map(({ status }) => status);
    };
    const none = Array<number>(6).fill(404);
    expect(await outcomes({ build: buildId, run: id }, uuidv7())).toEqual(none);
    expect(await outcomes({ build: uuidv7(), run: uuidv7() })).toEqual(none);
    expect(await outcomes({ build: 'no-id', run: 'no-id' })).toEqual(none);
    expect((await builders.read(id)).status).toBe('awaiting_review');
    await builders.call(deleteAgent, { params: { agent_id: agentId } });
    expect(await outcomes({ build: buildId, run: id })).toEqual(none);
    expect(await builders.row(id)).toMatchObject({ status: 'discarded' });
  });
});
