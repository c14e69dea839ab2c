import { appEntry, startServiceProcess, testEnvironment } from '@aos/testing';

describe('a gateway with a bad configuration', () => {
  it('exits with 78 and tells all problems at once, without any value', async () => {
    const { DATABASE_URL: _missing, ...environment } = testEnvironment({
      PORT: '80800',
      ADMIN_KEY: 'a-secret-too-short',
      SECRETS_KEYS: 'one:a-secret-that-is-no-key',
      RATE_LIMIT_PER_MINUTE: 'lots',
      TRUST_PROXY: 'true',
    });
    const failure = await startServiceProcess(appEntry('gateway'), environment).then(
      () => 'it started',
      (error: Error) => error.message,
    );
    const [outcome, title, ...problems] = failure.trimEnd().split('\n');
    expect(outcome).toContain('(78)');
    expect(title).toBe('gateway cannot start, its configuration is wrong:');
    expect(problems.map((line) => line.trim().split(':')[0]).sort()).toEqual([
      'ADMIN_KEY',
      'DATABASE_URL',
      'PORT',
      'RATE_LIMIT_PER_MINUTE',
      'SECRETS_KEYS',
      'TRUST_PROXY',
    ]);
    expect(failure).toContain('believing every proxy lets a client choose its own address');
    expect(failure).not.toMatch(/a-secret|80800|lots/);
  });
});
