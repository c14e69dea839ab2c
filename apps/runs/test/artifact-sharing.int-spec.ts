import {
  answerArtifact,
  createArtifact,
  deleteArtifact,
  duplicateArtifact,
  exportArtifactHtml,
  exportArtifactPdf,
  getArtifact,
  listArtifactMessages,
  listArtifactRevisions,
  listArtifacts,
  maxArtifactMessages,
  maxArtifactRevisions,
  maxArtifactsOfTeam,
  postArtifactMessage,
  publishArtifact,
  refreshArtifact,
  renderArtifact,
  stopArtifact,
  updateArtifact,
  type Artifact,
  type Operation,
} from '@aos/contracts';
import { eventually } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { artifactsClient, script, type ArtifactsClient } from './artifacts-under-test.js';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

const nobody = '01900000-0000-7000-8000-000000000000';

describe('artifacts among credentials and teams', () => {
  let runs: RunsUnderTest;
  let artifacts: ArtifactsClient;

  beforeAll(async () => {
    runs = await startRuns({ environment: { PUBLIC_BASE_URL: 'https://aos.example.com' } });
    artifacts = artifactsClient(runs);
  });

  afterAll(() => runs?.stop());

  const on = <O extends Operation>(operation: O, artifactId: string, given: object = {}) =>
    runs.call(operation, { params: { artifactId }, ...given });

  it('are seen by those who may', async () => {
    const other = uuidv7();
    const id = await artifacts.completed('Mine');
    const asOther = (operation: Operation, given: object = {}) =>
      on(operation, id, { credentialId: other, ...given });
    const listed = async (query: Record<string, string> = {}) => {
      const { body } = await runs.call(listArtifacts, { credentialId: other, query });
      return (body.artifacts as Artifact[]).map((artifact) => artifact.id);
    };
    const everything: [Operation, object?][] = [
      [getArtifact],
      [renderArtifact],
      [exportArtifactHtml],
      [listArtifactMessages],
      [listArtifactRevisions],
      [updateArtifact, { body: { visibility: 'team' } }],
      [postArtifactMessage, { body: { message: 'x' } }],
      [refreshArtifact],
      [answerArtifact],
      [stopArtifact],
      [publishArtifact],
      [duplicateArtifact],
      [deleteArtifact],
    ];
    for (const [operation, given] of everything) {
      expect([operation.operationId, (await asOther(operation, given)).status]).toEqual([
        operation.operationId,
        404,
      ]);
      const foreign = await on(operation, id, { teamId: uuidv7(), ...given });
      const unknown = await on(operation, nobody, given);
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    }
    expect(await listed()).not.toContain(id);
    expect(await listed({ visibility: 'private' })).toEqual([]);

    const { body: shared } = await on(updateArtifact, id, { body: { visibility: 'team' } });
    expect(shared).toMatchObject({ id, visibility: 'team' });
    expect((await asOther(getArtifact)).status).toBe(200);
    expect(await listed()).toContain(id);
    expect(await listed({ visibility: 'team' })).toContain(id);
    const stolen = await asOther(updateArtifact, { body: { visibility: 'private' } });
    expect([stolen.status, stolen.body.error]).toEqual([403, 'forbidden']);
    await on(updateArtifact, id, { body: { visibility: 'private' } });
    expect((await asOther(getArtifact)).status).toBe(404);
  });

  it('are listed newest first, by status and title', async () => {
    const teamId = uuidv7();
    const credentialId = uuidv7();
    const list = async (query: Record<string, string>) => {
      const { body } = await runs.call(listArtifacts, { teamId, credentialId, query });
      return [body.total, (body.artifacts as Artifact[]).map(({ title }) => title)];
    };
    for (const title of ['50% of a_b', 'Zebra']) {
      await artifacts.create('x', { title }, { teamId, credentialId });
    }
    await artifacts.create(script('ask What?'), { title: 'Asks' }, { teamId, credentialId });
    await eventually(async () => expect(await list({ status: 'waiting' })).toEqual([1, ['Asks']]));
    await eventually(async () =>
      expect(await list({ status: 'completed' })).toEqual([2, ['Zebra', '50% of a_b']]),
    );
    expect(await list({ limit: '1', offset: '1' })).toEqual([3, ['Zebra']]);
    expect(await list({ search: 'ZEB' })).toEqual([1, ['Zebra']]);
    expect(await list({ search: '0% of a_' })).toEqual([1, ['50% of a_b']]);
    expect(await list({ search: '%' })).toEqual([1, ['50% of a_b']]);
    expect((await runs.call(listArtifacts, { query: { status: 'sleeping' } })).status).toBe(400);
    expect((await runs.call(listArtifacts, { query: { limit: '101' } })).status).toBe(400);
  });

  it('are listed by visibility, also those of the organization', async () => {
    const id = await artifacts.completed('x', { visibility: 'organization' });
    const listed = async (query: Record<string, string>) => {
      const { body } = await runs.call(listArtifacts, { credentialId: uuidv7(), query });
      return (body.artifacts as Artifact[]).map((artifact) => artifact.id);
    };
    expect(await listed({})).toContain(id);
    expect(await listed({ visibility: 'organization' })).toContain(id);
    expect(await listed({ visibility: 'team' })).not.toContain(id);
  });

  it('are refreshed every quarter of an hour, half hour or six hours', async () => {
    for (const [refresh_frequency, minutes] of [
      ['every_15_minutes', 15],
      ['every_30_minutes', 30],
      ['every_6_hours', 360],
    ] as const) {
      const before = Date.now();
      const { refresh_frequency: shown, next_refresh_at: next } = await artifacts.show(
        await artifacts.create('x', { refresh_frequency }),
      );
      expect(shown).toBe(refresh_frequency);
      const due = Date.parse(next!) - minutes * 60_000;
      expect(due).toBeGreaterThanOrEqual(before);
      expect(due).toBeLessThanOrEqual(Date.now());
    }
  });

  it('are copied with page and messages, for the one who asks', async () => {
    const id = await artifacts.completed('Original', {
      title: 'Ours',
      visibility: 'team',
      refresh_frequency: 'daily',
    });
    const credentialId = uuidv7();
    const { status, body } = await on(duplicateArtifact, id, { credentialId });
    expect([status, body.status]).toEqual([201, 'completed']);
    expect(body.artifact).toMatchObject({
      title: 'Ours (copy)',
      visibility: 'private',
      refresh_frequency: null,
      current_version: 1,
    });
    const copy = body.artifact_id;
    const asMaker = { params: { artifactId: copy }, credentialId };
    expect((await runs.call(renderArtifact, asMaker)).body.html).toBe(await artifacts.page(id));
    expect((await runs.call(listArtifactMessages, asMaker)).body.total).toBe(2);
    expect((await runs.call(getArtifact, { params: { artifactId: copy } })).status).toBe(404);
    const { body: revisions } = await runs.call(listArtifactRevisions, asMaker);
    expect(revisions.revisions).toMatchObject([{ version: 1, source: 'duplicate' }]);
    // One without a page has nothing to show, and begins when it is asked to.
    const empty = await artifacts.create(script('ask What?'));
    await artifacts.reach(empty, 'waiting');
    const { body: begun } = await on(duplicateArtifact, empty, { body: { title: 'Later' } });
    expect(begun).toMatchObject({
      status: 'not_started',
      artifact: { title: 'Later', current_version: null },
    });
    await on(postArtifactMessage, begun.artifact_id, { body: { message: 'Now' } });
    await artifacts.reach(begun.artifact_id, 'completed');
  });

  it('are not printed where no Chromium is installed, and that is said', async () => {
    const answer = await on(exportArtifactPdf, await artifacts.completed());
    expect([answer.status, answer.body.error]).toEqual([409, 'not_configured']);
    expect(answer.body.message).toContain('No Chromium is installed');
  });

  it('are deleted with all that belongs to them, also while a page is made', async () => {
    const id = await artifacts.create(script('wait 600000'), { title: 'Gone' });
    await artifacts.reach(id, 'running');
    expect(await on(deleteArtifact, id)).toMatchObject({ status: 200, body: { success: true } });
    expect((await on(getArtifact, id)).status).toBe(404);
    expect((await on(deleteArtifact, id)).status).toBe(404);
    const other = await artifacts.completed();
    await on(deleteArtifact, other);
    for (const table of ['artifact_message', 'artifact_revision', 'artifact_connection']) {
      const rows = await runs.database.query(`SELECT FROM runs.${table} WHERE artifact_id = ANY($1)`, [
        [id, other],
      ]);
      expect([table, rows.length]).toEqual([table, 0]);
    }
  });

  it('a key has its effect once', async () => {
    const body = { message: 'Once' };
    const first = await runs.call(createArtifact, { body, key: 'create' });
    const again = await runs.call(createArtifact, { body, key: 'create' });
    expect([again.status, again.text, again.replayed]).toEqual([201, first.text, true]);
    const id = first.body.artifact_id;
    await artifacts.reach(id, 'completed');
    for (const operation of [refreshArtifact, postArtifactMessage, duplicateArtifact, publishArtifact]) {
      const given = { body: { message: 'More' }, key: operation.operationId };
      const one = await on(operation, id, given);
      const two = await on(operation, id, given);
      expect([two.status, two.text, two.replayed]).toEqual([operation.status, one.text, true]);
      await artifacts.reach(id, 'completed');
    }
    expect(await artifacts.versions(id)).toEqual([3, 2, 1]);
    // What is private is private for the credential, also where a key is repeated.
    const stranger = await runs.call(createArtifact, { body, key: 'create', credentialId: uuidv7() });
    expect(stranger.body.artifact_id).not.toBe(id);
  });

  it('refuse what is wrong, and name it', async () => {
    const bad: [object, string][] = [
      [{}, 'message'],
      [{ message: '  ' }, 'message'],
      [{ message: 'x'.repeat(20_001) }, 'message'],
      [{ message: 'x', title: '' }, 'title'],
      [{ message: 'x', title: 'x'.repeat(201) }, 'title'],
      [{ message: 'x', visibility: 'secret' }, 'visibility'],
      [{ message: 'x', refresh_frequency: 'yearly' }, 'refresh_frequency'],
      [{ message: 'x', model: 'mine' }, 'model'],
    ];
    for (const [body, field] of bad) {
      const answer = await runs.call(createArtifact, { body });
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(field)]);
    }
    const id = await artifacts.completed('x', { title: 'Named', refresh_frequency: 'daily' });
    const { body: changed } = await on(updateArtifact, id, {
      body: { title: null, refresh_frequency: null },
    });
    expect(changed).toMatchObject({ title: null, refresh_frequency: null, next_refresh_at: null });
  });

  it('need a plan that has them', async () => {
    const teamId = uuidv7();
    const credentialId = uuidv7();
    const id = await artifacts.create('x', {}, { teamId, credentialId });
    await eventually(async () =>
      expect((await artifacts.show(id, { teamId, credentialId })).status).toBe('completed'),
    );
    await runs.database.query(`INSERT INTO runs.team_plan (team_id, plan) VALUES ($1, 'trial')`, [teamId]);
    const refused = { status: 403, body: { error: 'entitlement_exceeded' } };
    await eventually(async () =>
      expect(await runs.call(createArtifact, { teamId, credentialId, body: { message: 'x' } })).toMatchObject(
        refused,
      ),
    );
    const of = { params: { artifactId: id }, teamId, credentialId };
    for (const operation of [postArtifactMessage, refreshArtifact, duplicateArtifact]) {
      expect(await runs.call(operation, { ...of, body: { message: 'x' } })).toMatchObject(refused);
    }
    expect((await runs.call(renderArtifact, of)).status).toBe(200);
    expect((await runs.call(deleteArtifact, of)).status).toBe(200);
  });

  it('have their limits: of a team, of messages, of revisions', async () => {
    const teamId = uuidv7();
    const copies = (count: number) =>
      runs.database.query(
        `INSERT INTO runs.artifact (id, team_id, made_by, status, visibility, model, answers, job_id, created_at, updated_at)
         SELECT gen_random_uuid(), $1, 'x', 'completed', 'team', 'builtin/scripted', '[]', gen_random_uuid(), now(), now()
           FROM generate_series(1, $2::int)`,
        [teamId, count],
      );
    await copies(maxArtifactsOfTeam - 1);
    const body = { message: 'x' };
    const answers = await Promise.all([1, 2, 3].map(() => runs.call(createArtifact, { teamId, body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.error).toBe('limit_reached');

    const id = await artifacts.completed();
    await runs.database.query(
      `INSERT INTO runs.artifact_message (id, artifact_id, seq, role, content, created_at)
       SELECT gen_random_uuid(), $1, seq, 'user', 'x', now() FROM generate_series(3, $2::int) AS seq`,
      [id, maxArtifactMessages],
    );
    const full = await on(postArtifactMessage, id, { body });
    expect([full.status, full.body.error]).toEqual([409, 'limit_reached']);
    expect(await artifacts.show(id)).toMatchObject({ status: 'completed' });

    await runs.database.query('UPDATE runs.artifact SET current_version = $2 WHERE id = $1', [
      id,
      maxArtifactRevisions,
    ]);
    await runs.database.query(
      `INSERT INTO runs.artifact_revision (id, artifact_id, version, title, body, size_bytes, source, created_at)
       SELECT gen_random_uuid(), $1, version, 'x', 'x', 1, 'message', now() FROM generate_series(2, $2::int) AS version`,
      [id, maxArtifactRevisions],
    );
    await on(refreshArtifact, id);
    await artifacts.reach(id, 'completed');
    const { body: kept } = await on(listArtifactRevisions, id, { query: { limit: '100' } });
    const versions = kept.revisions.map(({ version }) => version);
    expect([versions.length, versions[0], versions.at(-1)]).toEqual([
      maxArtifactRevisions,
      maxArtifactRevisions + 1,
      2,
    ]);
  });
});
