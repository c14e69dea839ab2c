import { planCredentials, type GivenCredentials } from './connection-plan.js';

const headers = { plaintext: { 'x-region': 'eu' }, secret: { 'x-key': 'hidden' } };

describe('what a connection authenticates with', () => {
  it.each<[string, 'native' | 'custom_mcp', GivenCredentials, string, string]>([
    ['a server without a word', 'custom_mcp', {}, 'none', 'active'],
    ['a native one without a word', 'native', {}, 'oauth', 'pending'],
    ['headers', 'custom_mcp', { headers }, 'headers', 'active'],
    ['a key', 'native', { api_key: 'k' }, 'apikey', 'active'],
    ['an address', 'custom_mcp', { auth_method: 'url' }, 'url', 'active'],
    ['OAuth with plain headers', 'custom_mcp', { auth_method: 'oauth', headers }, 'oauth', 'pending'],
  ])('%s', (_, type, given, authMethod, status) => {
    expect(planCredentials(type, given)).toMatchObject({ ok: true, credentials: { authMethod, status } });
  });

  it('sends a key as a bearer, which no other header may replace', () => {
    expect(planCredentials('custom_mcp', { api_key: 'k', headers, auth_method: 'apikey' })).toMatchObject({
      credentials: {
        secret: { 'x-key': 'hidden', Authorization: 'Bearer k' },
        plaintext: { 'x-region': 'eu' },
      },
    });
    const own = { plaintext: { authorization: 'Basic x' }, secret: {} };
    expect(planCredentials('custom_mcp', { api_key: 'k', headers: own })).toMatchObject({ ok: false });
  });

  it.each<[string, GivenCredentials]>([
    ['api_key', { auth_method: 'apikey' }],
    ['headers', { auth_method: 'headers' }],
    ['headers', { auth_method: 'headers', headers: { plaintext: {}, secret: {} } }],
    ['headers', { auth_method: 'none', headers }],
    ['api_key', { auth_method: 'none', api_key: 'k' }],
    ['headers', { auth_method: 'url', headers }],
    ['api_key', { auth_method: 'url', api_key: 'k' }],
    ['api_key', { auth_method: 'oauth', api_key: 'k' }],
    ['api_key', { auth_method: 'headers', headers, api_key: 'k' }],
  ])('names %s, which does not fit: %j', (field, given) => {
    expect(planCredentials('custom_mcp', given)).toEqual({
      ok: false,
      problem: expect.stringMatching(new RegExp(`^${field}: `)),
    });
  });

  it('lets no native connection be without credentials', () => {
    expect(planCredentials('native', { auth_method: 'none' })).toMatchObject({ ok: false });
    expect(planCredentials('native', { auth_method: 'url' })).toMatchObject({ ok: false });
  });
});
