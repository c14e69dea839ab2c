import { processRefreshTokenResponse, processRevocationResponse } from 'oauth4webapi';
import { toOAuthFailure, type OAuthFailure } from './oauth-failure.js';

const server = { issuer: 'https://login.example.com' };
const client = { client_id: 'c' };

async function failureOf(processed: Promise<unknown>): Promise<OAuthFailure> {
  return toOAuthFailure(await processed.catch((error: unknown) => error));
}

describe('a failure of an authorization server', () => {
  it.each([
    [400, 'refused'],
    [401, 'refused'],
    [403, 'refused'],
    [408, 'away'],
    [429, 'away'],
    [500, 'away'],
    [503, 'away'],
  ])('that is a challenge with status %d says that it is %s', async (status, kind) => {
    for (const challenge of ['Basic realm="x"', 'Bearer error="invalid_token"', 'Basic']) {
      const headers = { 'www-authenticate': challenge, 'content-type': 'text/html' };
      const answer = () => new Response('<html>', { status, headers });
      const said = {
        name: 'OAuthFailure',
        kind,
        message: expect.stringContaining(`HTTP ${status}`),
        code: undefined,
      };
      expect(await failureOf(processRevocationResponse(answer()))).toMatchObject(said);
      expect(await failureOf(processRefreshTokenResponse(server, client, answer()))).toMatchObject(said);
    }
  });

  it.each([
    [400, 'invalid_grant', 'refused'],
    [401, 'invalid_client', 'refused'],
    [400, 'temporarily_unavailable', 'away'],
    [408, 'timeout', 'away'],
    [429, 'slow', 'away'],
  ])('with status %d and the code %s says that it is %s', async (status, code, kind) => {
    const answer = Response.json({ error: code }, { status });
    expect(await failureOf(processRefreshTokenResponse(server, client, answer))).toMatchObject({
      kind,
      code,
    });
  });

  it('says whether it is the client that is refused', async () => {
    const isOfClient = async (answer: Response) =>
      (await failureOf(processRefreshTokenResponse(server, client, answer))).isOfClient;
    for (const error of ['invalid_client', 'unauthorized_client', 'bad_client_secret']) {
      expect(await isOfClient(Response.json({ error }, { status: 400 }))).toBe(true);
    }
    expect(await isOfClient(Response.json({ error: 'invalid_grant' }, { status: 400 }))).toBe(false);
    const headers = { 'www-authenticate': 'Basic realm="x"' };
    expect(await isOfClient(new Response('', { status: 401, headers }))).toBe(true);
    expect(await isOfClient(new Response('', { status: 403, headers }))).toBe(false);
  });

  it.each([
    [200, 'invalid'],
    [404, 'invalid'],
    [408, 'away'],
    [502, 'away'],
  ])('that is a page with status %d says that it is %s', async (status, kind) => {
    const page = new Response('<html>', { status, headers: { 'content-type': 'text/html' } });
    expect(await failureOf(processRefreshTokenResponse(server, client, page))).toMatchObject({ kind });
  });

  it('that is our own is passed on', async () => {
    const mistake = new TypeError('x is not a function');
    expect(() => toOAuthFailure(mistake)).toThrow(mistake);
  });
});
