import {
  answerArtifact,
  artifactUsed,
  createArtifact,
  listArtifactMessages,
  listArtifactRevisions,
  postArtifactMessage,
  publishArtifact,
  refreshArtifact,
  renderArtifact,
  renderArtifactRevision,
  restoreArtifactRevision,
  stopArtifact,
  type Operation,
} from '@aos/contracts';
import { artifactsClient, script, type ArtifactsClient } from './artifacts-under-test.js';
import { casesClient } from './cases-under-test.js';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

describe('artifacts', () => {
  let runs: RunsUnderTest;
  let artifacts: ArtifactsClient;

  beforeAll(async () => {
    runs = await startRuns({ environment: { PUBLIC_BASE_URL: 'https://aos.example.com' } });
    artifacts = artifactsClient(runs);
  });

  afterAll(() => runs?.stop());

  const on = <O extends Operation>(operation: O, artifactId: string, given: object = {}) =>
    runs.call(operation, { params: { artifactId }, ...given });

  it('begin as pending and end with a page of real figures', async () => {
    const agentId = await runs.agent(['finish Done']);
    await runs.reach((await runs.start(agentId)).id, 'completed');
    const failing = await runs.agent(['fail No luck']);
    await runs.reach((await runs.start(failing)).id, 'failed');
    const cases = casesClient(runs);
    const queue = await cases.queue('<b>Mails</b> & more');
    await cases.add(queue, 'one', 'two');

    const { status, body } = await runs.call(createArtifact, { body: { message: ' How are we doing? ' } });
    expect(status).toBe(201);
    const { artifact } = body;
    expect(body).toMatchObject({ artifact_id: artifact.id, status: 'pending' });
    expect(artifact).toEqual({
      id: artifact.id,
      artifact_id: artifact.id,
      team_id: runs.teamId,
      title: null,
      status: 'pending',
      visibility: 'private',
      permission: 'view',
      model: 'builtin/scripted',
      refresh_frequency: null,
      last_refresh_at: null,
      next_refresh_at: null,
      current_version: null,
      pending_user_questions: null,
      error: null,
      public_url: null,
      created_at: expect.stringMatching(/Z$/) as unknown,
      updated_at: expect.stringMatching(/Z$/) as unknown,
    });
    const done = await artifacts.reach(artifact.id, 'completed');
    expect(done).toMatchObject({ title: 'How are we doing?', current_version: 1, error: null });
    const html = await artifacts.page(artifact.id);
    expect(html).toMatch(/<b>1<\/b>completed/);
    expect(html).toMatch(/<b>1<\/b>failed/);
    expect(html).toContain('<td>Tester</td>');
    expect(html).toContain('<td>&#60;b&#62;Mails&#60;/b&#62; &#38; more</td><td class="n">2</td>');
    expect(html).toContain('<svg viewbox="0 0 900 220" role="img"');
    const today = new Date().toISOString().slice(0, 10);
    expect(html).toContain(`${today}: 1 completed, 1 failed, 0 stopped`);
    expect(await artifacts.said(artifact.id)).toEqual([
      'user: How are we doing?',
      'assistant: Here is the page with your figures.',
    ]);
  });

  it('tell billing of their tokens, once', async () => {
    const id = await artifacts.completed();
    const rows = await runs.database.query<{ usage: Record<string, unknown> }>(
      `SELECT meta -> 'usage' AS usage FROM runs.logged_event WHERE event = $1 AND data ->> 'artifact_id' = $2`,
      [artifactUsed.name, id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]!.usage).toMatchObject({ model: 'builtin/scripted' });
    expect(rows[0]!.usage['output_tokens']).toBeGreaterThan(100);
  });

  it('are revised by messages that build on each other', async () => {
    const id = await artifacts.completed('First wish');
    const answer = await on(postArtifactMessage, id, { body: { message: 'Second wish' } });
    expect(answer).toMatchObject({
      status: 201,
      body: { status: 'pending', message: { role: 'user', content: 'Second wish' } },
    });
    expect(await artifacts.reach(id, 'completed')).toMatchObject({ current_version: 2, title: 'First wish' });
    const html = await artifacts.page(id);
    expect(html).toContain('<li>First wish</li><li>Second wish</li>');
    const { body } = await on(listArtifactRevisions, id);
    expect(body).toMatchObject({ total: 2, limit: 20, offset: 0 });
    expect(body.revisions).toMatchObject([
      { version: 2, source: 'message', is_current: true, restored_version: null },
      { version: 1, source: 'message', is_current: false },
    ]);
    const { body: messages } = await on(listArtifactMessages, id, { query: { limit: '2', offset: '2' } });
    expect(messages).toMatchObject({ total: 4, limit: 2, offset: 2 });
    expect(messages.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('ask, and go on with the answers', async () => {
    const id = await artifacts.create(script('ask Which team? | Ours | Theirs', 'finish For {{answer}}'));
    const waiting = await artifacts.reach(id, 'waiting');
    const questions = [{ question: 'Which team?', options: [{ label: 'Ours' }, { label: 'Theirs' }] }];
    expect(waiting.pending_user_questions).toEqual({ questions });
    for (const operation of [postArtifactMessage, refreshArtifact]) {
      expect(await on(operation, id, { body: { message: 'x' } })).toMatchObject({
        status: 409,
        body: { error: 'invalid_state' },
      });
    }
    const wrong = await on(answerArtifact, id, { body: { answers: { 'Who?': 'me' } } });
    expect(wrong).toMatchObject({
      status: 400,
      body: { message: 'answers.Which team?: is missing; answers.Who?: is not asked' },
    });
    const answers = { 'Which team?': 'Ours' };
    const answer = await on(answerArtifact, id, { body: { answers } });
    expect(answer).toMatchObject({ status: 200, body: { status: 'running' } });
    await artifacts.reach(id, 'completed');
    expect(await artifacts.page(id)).toContain('<p>For Ours</p>');
    expect(await artifacts.said(id)).toEqual([
      expect.stringMatching(/^user: Show our runs/),
      'assistant: Which team?',
      'user: Which team?\nOurs',
      'assistant: For Ours',
    ]);
    // What was answered is asked no more when the page is made anew.
    await on(refreshArtifact, id);
    expect(await artifacts.reach(id, 'completed')).toMatchObject({ current_version: 2 });
    expect(await on(answerArtifact, id, { body: { answers } })).toMatchObject({ status: 409 });
  });

  it('fail with a reason, keep their page, and can be asked again', async () => {
    const id = await artifacts.completed();
    await on(postArtifactMessage, id, { body: { message: script('fail No ink left') } });
    const failed = await artifacts.reach(id, 'failed');
    expect(failed).toMatchObject({
      current_version: 1,
      error: { code: 'failed_by_agent', message: 'No ink left' },
    });
    expect(await artifacts.page(id)).toContain('<svg');
    await on(postArtifactMessage, id, { body: { message: 'Again, please' } });
    expect(await artifacts.reach(id, 'completed')).toMatchObject({ current_version: 2, error: null });
    for (const [steps, told] of [
      [['dance'], /unknown step "dance"/],
      [['approve This?'], /approve is not for artifacts/],
    ] as const) {
      const bad = await artifacts.create(script(...steps));
      const { error } = await artifacts.reach(bad, 'failed');
      expect(error).toMatchObject({
        code: 'invalid_script',
        message: expect.stringMatching(told) as unknown,
      });
    }
    const unknown = await artifacts.create('x', { model: 'gpt-9' });
    expect((await artifacts.reach(unknown, 'failed')).error).toEqual({
      code: 'model_error',
      message: 'The model openai/gpt-9 is not configured on this installation.',
    });
  });

  it('are stopped at once, whatever they do, and a stopped one goes on with a message', async () => {
    const id = await artifacts.create(script('wait 600000', 'finish Never'));
    await artifacts.reach(id, 'running');
    for (const operation of [postArtifactMessage, refreshArtifact]) {
      expect((await on(operation, id, { body: { message: 'x' } })).status).toBe(409);
    }
    expect((await on(renderArtifact, id)).status).toBe(409);
    expect((await on(publishArtifact, id, { body: { visibility: 'public' } })).status).toBe(409);
    const stopped = await on(stopArtifact, id);
    expect(stopped).toMatchObject({ status: 200, body: { status: 'interrupted' } });
    expect(await on(stopArtifact, id)).toMatchObject({ status: 200, body: { status: 'interrupted' } });
    await on(postArtifactMessage, id, { body: { message: 'Now without waiting' } });
    expect(await artifacts.reach(id, 'completed')).toMatchObject({ current_version: 1 });
    const asking = await artifacts.create(script('ask What?'));
    await artifacts.reach(asking, 'waiting');
    expect((await on(stopArtifact, asking)).body.artifact.pending_user_questions).toBeNull();
  });

  it('show an earlier page again as a new revision', async () => {
    const id = await artifacts.completed('One');
    await on(postArtifactMessage, id, { body: { message: 'Two' } });
    await artifacts.reach(id, 'completed');
    const { body: list } = await on(listArtifactRevisions, id);
    const [second, first] = list.revisions;
    const params = { artifactId: id, revisionId: first!.id };
    const { body: old } = await runs.call(renderArtifactRevision, { params });
    expect(old.html).not.toContain('<li>Two</li>');
    const restored = await runs.call(restoreArtifactRevision, { params });
    expect(restored).toMatchObject({
      status: 200,
      body: {
        status: 'completed',
        artifact: { current_version: 3 },
        revision: { version: 3, source: 'restore', restored_version: 1, is_current: true },
      },
    });
    expect(await artifacts.page(id)).toBe(old.html);
    expect(await artifacts.versions(id)).toEqual([3, 2, 1]);
    await on(postArtifactMessage, id, { body: { message: script('wait 600000') } });
    await artifacts.reach(id, 'running');
    expect((await runs.call(restoreArtifactRevision, { params })).status).toBe(409);
    await on(stopArtifact, id);
    // A revision belongs to its artifact.
    const other = await artifacts.completed();
    for (const operation of [renderArtifactRevision, restoreArtifactRevision]) {
      const foreign = { artifactId: other, revisionId: second!.id };
      expect((await runs.call(operation, { params: foreign })).status).toBe(404);
    }
  });
});
