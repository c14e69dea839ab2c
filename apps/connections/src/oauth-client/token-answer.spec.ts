import { normalizedAnswer } from './token-answer.js';

async function normalized(body: unknown, status = 200) {
  const answer = await normalizedAnswer(Response.json(body, { status }));
  return { status: answer.status, body: (await answer.json()) as unknown };
}

describe('the answer of a token endpoint', () => {
  it.each([
    // GitHub
    [{ error: 'bad_verification_code', error_description: 'expired' }],
    // Slack
    [{ ok: false, error: 'invalid_code' }],
  ])('that is a refusal with status 200 is a refusal: %j', async (body) => {
    expect(await normalized(body)).toEqual({ status: 400, body });
  });

  it('of Slack, whose tokens are of a type of their own, is a bearer', async () => {
    const answer = { ok: true, access_token: 'xoxb-1', token_type: 'bot', scope: 'chat:write' };
    expect(await normalized(answer)).toEqual({ status: 200, body: { ...answer, token_type: 'bearer' } });
  });

  it('of GitHub, whose scopes have commas and whose tokens do not end, stays as it is', async () => {
    const answer = { access_token: 'gho_1', token_type: 'bearer', scope: 'repo,gist' };
    expect(await normalized(answer)).toEqual({ status: 200, body: answer });
  });

  it('drops id tokens unread', async () => {
    const { body } = await normalized({ access_token: 'a', token_type: 'Bearer', id_token: 'x.y.z' });
    expect(body).toEqual({ access_token: 'a', token_type: 'bearer' });
  });

  it.each([
    ['3600', 3600],
    [3600.9, 3600],
    ['soon', undefined],
    [0, undefined],
    [null, undefined],
  ])('whose expires_in is %j has %j seconds', async (given, expected) => {
    const { body } = await normalized({ access_token: 'a', token_type: 'bearer', expires_in: given });
    expect((body as { expires_in?: number }).expires_in).toBe(expected);
  });

  it('with a token that is bound to a key does not pass for a bearer', async () => {
    const { body } = await normalized({ access_token: 'a', token_type: 'DPoP' });
    expect(body).toMatchObject({ token_type: 'DPoP' });
  });

  it('that is no JSON object, or a refusal of its own, is passed on', async () => {
    const page = new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } });
    expect(await normalizedAnswer(page)).toBe(page);
    const list = Response.json([1]);
    expect(await normalizedAnswer(list)).toBe(list);
    const refusal = { error: 'invalid_grant' };
    expect(await normalized(refusal, 400)).toEqual({ status: 400, body: refusal });
  });
});
