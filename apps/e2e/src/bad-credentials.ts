import { randomBytes } from 'node:crypto';
import { deleteApiKey, deleteOAuthClient, getTeam } from '@aos/contracts';
import { eventually } from '@aos/testing';
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose';
import { newKey, newOAuthClient, newToken, postForm, type Team } from './team.js';

/** Longer than it takes to hand the key out, short enough to wait for. */
const shortLifeMs = 1_500;

/** Authorization headers that must not let anyone in, by what is wrong with them. */
export const badCredentials: Readonly<Record<string, (team: Team) => Promise<string>>> = {
  'garbage in place of a token': async () => 'Bearer garbage',
  'another scheme with a good key': async (team) => `Basic ${team.key}`,
  'a good key without a scheme': async (team) => team.key,
  'a key that was never issued': async () => bearer(`aos_${randomBytes(32).toString('base64url')}`),
  'an admin key that was never issued': async () =>
    bearer(`aos_admin_${randomBytes(32).toString('base64url')}`),
  'a good key with one character changed': async ({ key }) =>
    bearer(`${key.slice(0, -2)}${key.at(-2) === 'A' ? 'B' : 'A'}${key.at(-1)}`),
  'the id of a good key': async (team) => bearer(team.keyId),
  'an expired key': expiredKey,
  'a revoked key': revokedKey,
  'a revoked token': revokedToken,
  "a deleted client's token": deletedClientsToken,
  'a client secret': async (team) => bearer((await newOAuthClient(team)).clientSecret),
  'a token signed with another key': forgedToken,
  'a token whose claims were changed': tamperedToken,
  'a token without a signature': unsignedToken,
};

function bearer(token: string): string {
  return `Bearer ${token}`;
}

async function expiredKey(team: Team): Promise<string> {
  const { key } = await newKey(team, { expires_at: new Date(Date.now() + shortLifeMs).toISOString() });
  await refused(team, key);
  return bearer(key);
}

async function revokedKey(team: Team): Promise<string> {
  const { id, key } = await newKey(team);
  await team.client.succeed(deleteApiKey, { params: { teamId: team.id, keyId: id } });
  await refused(team, key);
  return bearer(key);
}

async function revokedToken(team: Team): Promise<string> {
  const client = await newOAuthClient(team);
  const token = await newToken(team.client, client);
  const { clientId, clientSecret } = client;
  await postForm(team.client, '/oauth/revoke', { token, client_id: clientId, client_secret: clientSecret });
  await refused(team, token);
  return bearer(token);
}

async function deletedClientsToken(team: Team): Promise<string> {
  const client = await newOAuthClient(team);
  const token = await newToken(team.client, client);
  await team.client.succeed(deleteOAuthClient, { params: { teamId: team.id, clientId: client.clientId } });
  await refused(team, token);
  return bearer(token);
}

/** What a good token says, under a key of our own that claims the name of the server's. */
async function forgedToken(team: Team): Promise<string> {
  const good = await newToken(team.client, await newOAuthClient(team));
  const { privateKey } = await generateKeyPair('ES256');
  const { kid, typ } = decodeProtectedHeader(good);
  const forged = new SignJWT(decodeJwt(good)).setProtectedHeader({
    alg: 'ES256',
    kid,
    typ,
  });
  return bearer(await forged.sign(privateKey));
}

async function tamperedToken(team: Team): Promise<string> {
  const good = await newToken(team.client, await newOAuthClient(team, { scopes: ['team:read'] }));
  const [header, , signature] = good.split('.');
  return bearer([header, encode({ ...decodeJwt(good), scope: '*' }), signature].join('.'));
}

async function unsignedToken(team: Team): Promise<string> {
  const good = await newToken(team.client, await newOAuthClient(team));
  return bearer(`${encode({ ...decodeProtectedHeader(good), alg: 'none' })}.${encode(decodeJwt(good))}.`);
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Waits until a credential that worked does no longer. */
async function refused(team: Team, token: string): Promise<void> {
  await eventually(async () => {
    const { status } = await team.client.call(getTeam, { token, params: { teamId: team.id } });
    if (status !== 401) throw new Error(`The credential still works: ${status}`);
  });
}
