import { randomUUID } from 'node:crypto';
import { scopes, type GrantedScope } from '@aos/contracts';
import type { ApiAnswer, ApiClient } from '../src/api-client.js';
import { idsBeyondTeam, sampleRequest, workingRequest } from '../src/sample-request.js';
import { connectToProduct, type ConnectedProduct } from '../src/shared-product.js';
import { connectAdmin, newKey, newTeam, type Team } from '../src/team.js';
import { rowsOf } from './walks/input-walk.js';

const all = rowsOf(({ access }) => !['link', 'open'].includes(access));
const byLink = rowsOf(({ access }) => access === 'link');
const adminOnly = rowsOf(({ access }) => access === 'admin');
const teamOnly = rowsOf(({ access }) => access === 'team');
const forTeams = rowsOf(({ access }) => !['admin', 'link', 'open'].includes(access));
const withTeamInPath = rowsOf(({ path }) => path.includes('{teamId}'));
/** `sealWidget` echoes its body and reads no widget: there is nothing that it could give away. What is open is for all. */
const withIds = rowsOf(
  (operation) =>
    idsBeyondTeam(operation).length > 0 &&
    operation.operationId !== 'sealWidget' &&
    !['link', 'open'].includes(operation.access),
);

describe('credentials, over every operation', () => {
  let product: ConnectedProduct;
  let admin: ApiClient;
  let team: Team;
  let other: Team;

  beforeAll(async () => {
    product = await connectToProduct();
    admin = await connectAdmin(product);
    [team, other] = await Promise.all([newTeam(admin, 'One'), newTeam(admin, 'Other')]);
  });

  afterAll(async () => {
    await product?.disconnect();
  });

  const keys = new Map<string, Promise<{ key: string }>>();

  /** A key with these scopes, made once. */
  async function keyWith(wanted: readonly GrantedScope[]): Promise<string> {
    const name = wanted.join(' ');
    const made = keys.get(name) ?? newKey(team, { scopes: wanted });
    keys.set(name, made);
    return (await made).key;
  }

  it.each(all)('%s: 401 without a credential, and where to get one', async (_, operation) => {
    const answer = await admin.call(operation, { ...sampleRequest(operation, team.id), token: null });
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ error: 'invalid_token' });
    expect(answer.headers['www-authenticate']).toBe(
      `Bearer resource_metadata="${product.urls[0]}/.well-known/oauth-protected-resource${operation.kind === 'rpc' ? operation.path : ''}"`,
    );
  });

  it.each(all)('%s: 403 with every scope but its own, which is named', async (_, operation) => {
    const token = await keyWith(scopes.filter((scope) => scope !== operation.scope));
    const answer = await admin.call(operation, { ...sampleRequest(operation, team.id), token });
    expect([answer.status, answer.body]).toEqual([
      403,
      { error: 'insufficient_scope', message: expect.stringContaining(operation.scope) },
    ]);
  });

  it.each(forTeams)('%s: its own scope is enough', async (_, operation) => {
    const token = await keyWith([operation.scope]);
    const answer = await admin.call(operation, { ...sampleRequest(operation, team.id), token });
    expect(answer.status).not.toBe(401);
    expect(answer.status).not.toBe(403);
  });

  it.each(adminOnly)('%s: 403 for the key of a team', async (_, operation) => {
    const answer = await team.client.call(operation, sampleRequest(operation, team.id));
    expect([answer.status, answer.body]).toEqual([403, expect.objectContaining({ error: 'forbidden' })]);
  });

  it.each(teamOnly)('%s: 403 for the platform admin key', async (_, operation) => {
    const answer = await admin.call(operation, sampleRequest(operation, team.id));
    expect([answer.status, answer.body]).toEqual([403, expect.objectContaining({ error: 'forbidden' })]);
  });

  it.each(withTeamInPath)('%s: 403 for another team, whether or not it exists', async (_, operation) => {
    const sample = sampleRequest(operation, team.id);
    const paths = [other.id, randomUUID(), 'not-a-team', '%00', `${team.id}x`];
    const answers = await Promise.all(
      paths.map((teamId) => team.client.call(operation, { ...sample, params: { ...sample.params, teamId } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 403));
    expect(answers[0]!.body).toMatchObject({ error: 'forbidden' });
    expect(new Set(answers.map(seen))).toEqual(new Set([seen(answers[0]!)]));
  });

  it.each(byLink)('%s: needs no credential, and 404 for every other address', async (_, operation) => {
    const { params, ...request } = await workingRequest(operation, team, product);
    const token = params!['token']!;
    const kinds = byLink.map(
      async ([, other]) => (await workingRequest(other, team, product)).params!['token']!,
    );
    const foreign = (await Promise.all(kinds)).filter((_token, index) => byLink[index]![1] !== operation);
    const altered = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    const bad = [...foreign, altered, token.slice(0, -1), `${token}x`, randomUUID(), 'x', '%00', 'v1..'];
    const call = (given: string) =>
      admin.call(operation, { ...request, token: null, params: { ...params, token: given } });
    const answers = await Promise.all(bad.map(call));
    expect(answers.map(({ status }) => status)).toEqual(bad.map(() => 404));
    expect(new Set(answers.map(seen))).toEqual(new Set([seen(answers[0]!)]));
    expect((await call(token)).status).toBe(operation.status);
  });

  it.each(withIds)('%s: 404 for what another team has, which stays as it was', async (_, operation) => {
    const [own, theirs] = await Promise.all([
      workingRequest(operation, team, product),
      workingRequest(operation, other, product),
    ]);
    for (const name of idsBeyondTeam(operation)) {
      const foreign = theirs.params![name]!;
      const ids = [foreign, foreign.toUpperCase(), randomUUID(), 'not-a-uuid', '%00', "'%20OR%201=1--"];
      const answers = await Promise.all(
        ids.map((id) => team.client.call(operation, { ...own, params: { ...own.params, [name]: id } })),
      );
      expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 404));
      expect(new Set(answers.map(seen))).toEqual(new Set([seen(answers[0]!)]));
    }
    const inOwnTeam: Record<string, string> = theirs.params?.['teamId'] ? { teamId: team.id } : {};
    const params = { ...theirs.params, ...inOwnTeam };
    expect((await team.client.call(operation, { ...theirs, params })).status).toBe(404);
    await other.client.succeed(operation, theirs);
  });
});

/** All that a caller can see of an answer, apart from what differs each time. */
function seen({ status, headers, text }: ApiAnswer): string {
  const constant = Object.entries(headers).filter(
    ([name]) => !['x-request-id', 'date', 'ratelimit-remaining', 'ratelimit-reset'].includes(name),
  );
  return JSON.stringify([status, constant, text]);
}
