import { clientSettings, providersOf, providersSettingSchema } from './provider-settings.js';

const acme = {
  issuer: 'https://login.acme.example',
  client_id: 'id',
  client_secret: 'very-secret',
  api_base_url: 'https://api.acme.example/v1',
};

function problemsOf(setting: unknown): string[] {
  const text = typeof setting === 'string' ? setting : JSON.stringify(setting);
  const { error } = providersSettingSchema.safeParse(text);
  return (error?.issues ?? []).map(({ path, message }) => [...path.map(String), message].join(' '));
}

function named(name: string, given: object, settings: Record<string, string> = {}) {
  const parsed = providersSettingSchema.parse(JSON.stringify(given));
  return providersOf(parsed, settings).find((provider) => provider.name === name)!;
}

describe('OAUTH_PROVIDERS', () => {
  it('may be empty, and adds to the built-in providers', () => {
    expect(problemsOf({})).toEqual([]);
    expect(problemsOf({ acme })).toEqual([]);
    const names = providersOf({}, {}).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['google', 'github', 'slack', 'linear']));
    expect(providersOf({ acme }, {}).map(({ name }) => name)).toEqual([...names, 'acme']);
  });

  it.each([
    ['{', ['must be JSON']],
    [
      { acme: { ...acme, issuer: undefined } },
      ['acme needs an issuer, or authorization_endpoint and token_endpoint'],
    ],
    [{ acme: { ...acme, api_base_url: undefined } }, ['acme needs api_base_url']],
    [{ acme: { ...acme, issuer: 'ftp://x.example' } }, ['acme issuer must be an http or https address']],
  ])('that is wrong is told so: %j', (setting, expected) => {
    expect(problemsOf(setting)).toEqual(expected);
  });

  it('never shows the secrets in it', () => {
    const wrong = [`{"acme": "very-secret"`, { acme: { ...acme, unknown: 'very-secret' } }, { 'A b': acme }];
    for (const setting of wrong) {
      const problems = problemsOf(setting);
      expect(problems).not.toEqual([]);
      expect(problems.join()).not.toContain('very-secret');
    }
  });

  it('gives a provider of its own a title, and the host of its API alone', () => {
    expect(named('acme', { acme })).toMatchObject({
      title: 'acme',
      clientId: 'id',
      apiHosts: ['api.acme.example'],
      scopes: [],
    });
  });

  it('changes of a built-in provider what it says, and nothing else', () => {
    const settings = { OAUTH_GITHUB_CLIENT_ID: 'from-setting', OAUTH_GITHUB_CLIENT_SECRET: 's' };
    const plain = named('github', {}, settings);
    expect(plain).toMatchObject({ clientId: 'from-setting', apiHosts: ['api.github.com'] });
    const enterprise = named(
      'github',
      { github: { api_base_url: 'https://git.example.com/api/v3' } },
      settings,
    );
    expect(enterprise).toEqual({
      ...plain,
      apiBaseUrl: 'https://git.example.com/api/v3',
      // The tokens of one are not sent to the other.
      apiHosts: ['git.example.com'],
    });
  });

  it('has a client id and a secret for each built-in provider', () => {
    expect(Object.keys(clientSettings)).toEqual(
      expect.arrayContaining(['OAUTH_GOOGLE_CLIENT_ID', 'OAUTH_LINEAR_CLIENT_SECRET']),
    );
  });
});
