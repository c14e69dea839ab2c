import {
  deleteArtifact,
  getArtifact,
  publishArtifact,
  updateArtifact,
  viewPublicArtifact,
  type Operation,
} from '@aos/contracts';
import { uuidv7 } from 'uuidv7';
import { artifactsClient, script, type ArtifactsClient } from './artifacts-under-test.js';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

describe('artifacts that are published', () => {
  let runs: RunsUnderTest;
  let artifacts: ArtifactsClient;

  beforeAll(async () => {
    runs = await startRuns({ environment: { PUBLIC_BASE_URL: 'https://aos.example.com' } });
    artifacts = artifactsClient(runs);
  });

  afterAll(() => runs?.stop());

  const on = <O extends Operation>(operation: O, artifactId: string, given: object = {}) =>
    runs.call(operation, { params: { artifactId }, ...given });

  const address = /^https:\/\/aos\.example\.com\/v2\/public\/artifacts\/([\w-]{43})$/;
  const tokenOf = (url: string | null) => address.exec(url ?? '')![1]!;
  const view = (token: string) => runs.call(viewPublicArtifact, { params: { token } });
  const publish = (id: string, body?: object, more: object = {}) =>
    on(publishArtifact, id, { body, ...more });
  const openly = { visibility: 'public' };

  it('openly have an address that cannot be guessed, and that can be taken back', async () => {
    const id = await artifacts.completed();
    const { status, body } = await publish(id, openly);
    expect([status, body.artifact.visibility, body.artifact.public_url]).toEqual([
      200,
      'public',
      body.public_url,
    ]);
    const token = tokenOf(body.public_url);
    expect((await view(token)).body.html).toBe(await artifacts.page(id));
    expect((await publish(id, openly)).body.public_url).toBe(body.public_url);
    await on(updateArtifact, id, { body: { visibility: 'team' } });
    expect((await view(token)).status).toBe(404);
    const again = (await publish(id, openly)).body.public_url;
    expect(again).not.toBe(body.public_url);
    expect((await view(token)).status).toBe(404);
    const newToken = tokenOf(again);
    expect((await view(newToken)).status).toBe(200);
    await on(deleteArtifact, id);
    expect((await view(newToken)).status).toBe(404);
    const born = await artifacts.show(await artifacts.completed('x', { visibility: 'public' }));
    expect((await view(tokenOf(born.public_url))).status).toBe(200);
  });

  it.each([
    [undefined],
    [{}],
    [{ visibility: null }],
    [{ permission: 'edit' }],
    [{ visibility: 'organization' }],
  ])('with %j are shared with the team, and have no address', async (body) => {
    const id = await artifacts.completed();
    const answer = await publish(id, body);
    const visibility = (body as { visibility?: string } | undefined)?.visibility ?? 'team';
    const permission = (body as { permission?: string } | undefined)?.permission ?? 'view';
    const shared = { id, visibility, permission, public_url: null };
    // Bare, and under its name.
    expect(answer).toMatchObject({ status: 200, body: { ...shared, artifact: shared } });
    const stored = await runs.database.query('SELECT public_token FROM runs.artifact WHERE id = $1', [id]);
    expect(stored).toEqual([{ public_token: null }]);
    const { body: read } = await on(getArtifact, id, { credentialId: uuidv7() });
    expect(read).toMatchObject({ ...shared, artifact: shared });
  });

  it('without a body after they were public are of the team, and their address never works again', async () => {
    const id = await artifacts.completed();
    const token = tokenOf((await publish(id, openly, { key: 'first' })).body.public_url);
    const taken = await publish(id, undefined, { key: 'back' });
    expect(taken.body).toMatchObject({ visibility: 'team', public_url: null });
    expect((await view(token)).status).toBe(404);
    // A request that is sent again has the answer of then, and no effect.
    const repeated = await publish(id, openly, { key: 'first' });
    expect([repeated.replayed, repeated.body.public_url]).toEqual([true, expect.stringContaining(token)]);
    expect((await view(token)).status).toBe(404);
    expect((await artifacts.show(id)).visibility).toBe('team');
    const again = await publish(id, openly);
    expect(tokenOf(again.body.public_url)).not.toBe(token);
    const repeatedBack = await publish(id, undefined, { key: 'back' });
    expect([repeatedBack.replayed, repeatedBack.text]).toEqual([true, taken.text]);
    expect((await view(tokenOf(again.body.public_url))).status).toBe(200);
    expect((await view(token)).status).toBe(404);
    await publish(id, { visibility: 'private' });
    expect((await view(tokenOf(again.body.public_url))).status).toBe(404);
  });

  it('at the same time have the visibility and the address of one of the requests', async () => {
    const id = await artifacts.completed();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => publish(id, n % 2 === 0 ? openly : undefined)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { visibility, public_url: url } = await artifacts.show(id);
    expect(url === null).toBe(visibility !== 'public');
    const given = answers.flatMap(({ body }) => body.public_url ?? []);
    for (const old of new Set(given)) expect((await view(tokenOf(old))).status).toBe(old === url ? 200 : 404);
  });

  it('are refused where the page or the right to it is missing', async () => {
    const empty = await artifacts.create(script('ask What?'));
    await artifacts.reach(empty, 'waiting');
    expect((await publish(empty, openly)).body.error).toBe('invalid_state');
    expect((await publish(empty)).body).toMatchObject({ visibility: 'team', public_url: null });
    const stolen = await publish(empty, { visibility: 'private' }, { credentialId: uuidv7() });
    expect([stolen.status, stolen.body.error]).toEqual([403, 'forbidden']);
    const wrong = await publish(empty, { visibility: 'everybody', permission: 'own' });
    expect([wrong.status, wrong.body.message]).toEqual([
      400,
      expect.stringMatching(/visibility: .*permission: /s),
    ]);
  });
});
