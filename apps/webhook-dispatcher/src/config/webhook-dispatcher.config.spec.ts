import { randomBytes } from 'node:crypto';
import { ConfigError, type Environment } from '@aos/platform';
import { loadServiceConfig } from '@aos/service';
import { webhookDispatcherConfigSchema, type WebhookDispatcherConfig } from './webhook-dispatcher.config.js';

const needed = {
  DATABASE_URL: 'postgres://aos@127.0.0.1/aos',
  REDIS_URL: 'redis://:password@127.0.0.1',
  SECRETS_KEYS: `test:${randomBytes(32).toString('base64')}`,
};

function load(environment: Environment): WebhookDispatcherConfig {
  return loadServiceConfig('webhook-dispatcher', webhookDispatcherConfigSchema, {
    ...needed,
    ...environment,
  });
}

function problemsOf(environment: Environment): readonly string[] {
  try {
    load(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('the settings of the dispatcher', () => {
  it('have defaults', () => {
    expect(load({})).toMatchObject({
      EGRESS_ALLOW_CIDRS: '',
      WEBHOOK_TIMEOUT_MS: 10_000,
      WEBHOOK_CONNECT_TIMEOUT_MS: 3_000,
      WEBHOOK_CONCURRENCY: 16,
      WEBHOOK_DISABLE_AFTER_HOURS: 120,
      WEBHOOK_RETENTION_DAYS: 30,
      WEBHOOK_LEASE_MS: 15_000,
    });
  });

  it('read the schedule of attempts from a comma list', () => {
    expect(load({ WEBHOOK_RETRY_SCHEDULE_MS: '0, 100,200 ' }).WEBHOOK_RETRY_SCHEDULE_MS).toEqual([
      0, 100, 200,
    ]);
  });

  it.each([
    ['words', '0,soon'],
    ['a negative wait', '0,-5'],
    ['a fraction', '0,1.5'],
    ['no attempt at all', ','],
    ['a wait of more than a week', '0,604800001'],
    ['more than fifty attempts', Array(51).fill('1').join()],
  ])('refuse a schedule with %s, and name the variable', (_, text) => {
    const problems = problemsOf({ WEBHOOK_RETRY_SCHEDULE_MS: text });
    expect(problems).toEqual([expect.stringMatching(/^WEBHOOK_RETRY_SCHEDULE_MS/)]);
  });

  it.each([
    ['EGRESS_ALLOW_CIDRS', '10.0.0.0'],
    ['WEBHOOK_TIMEOUT_MS', '10s'],
    ['WEBHOOK_CONNECT_TIMEOUT_MS', '-1'],
    ['WEBHOOK_CONCURRENCY', '0'],
    ['WEBHOOK_DISABLE_AFTER_HOURS', '0'],
    ['WEBHOOK_RETENTION_DAYS', '1'],
    ['WEBHOOK_LEASE_MS', '999'],
  ])('refuse %s=%s, and name the variable', (name, text) => {
    expect(problemsOf({ [name]: text })).toEqual([expect.stringMatching(new RegExp(`^${name}: `))]);
  });
});
