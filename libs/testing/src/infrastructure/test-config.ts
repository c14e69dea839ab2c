import { randomBytes } from 'node:crypto';
import type { Environment } from '@aos/platform';
import { loadServiceConfig, serviceConfigSchema, type ServiceConfig } from '@aos/service';
import { uuidv7 } from 'uuidv7';

/** The environment of one test's services: stores of the run, and a Redis prefix that no other test has. */
export function testEnvironment(overrides: Environment = {}): Record<string, string> {
  const environment: Environment = {
    NODE_ENV: 'test',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'fatal',
    DATABASE_URL: process.env['TEST_DATABASE_URL'],
    REDIS_URL: process.env['TEST_REDIS_URL'],
    REDIS_PREFIX: `t${uuidv7().replaceAll('-', '')}`,
    FILES_DIR: process.env['TEST_FILES_DIR'],
    SECRETS_KEYS: `test:${randomBytes(32).toString('base64')}`,
    ...overrides,
  };
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

export function testConfig(overrides: Environment = {}): ServiceConfig {
  return loadServiceConfig('test', serviceConfigSchema, testEnvironment(overrides));
}
