import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { baseConfigSchema } from './base-config.js';
import { ConfigError, loadConfig, type Environment } from './load-config.js';
import { booleanText, commaList, milliseconds, port, urlOf, wholeNumber } from './config-schemas.js';
import { tracingSettings } from './tracing-settings.js';

const good = {
  DATABASE_URL: 'postgres://aos:hunter2hunter2@db.internal:5432/aos',
  REDIS_URL: 'rediss://:hunter3hunter3@redis.internal:6379',
  SECRETS_KEYS: `k1:${randomBytes(32).toString('base64')}`,
};

function errorOf(schema: z.ZodType, env: Environment): ConfigError {
  try {
    loadConfig(schema, env, 'runs');
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('The configuration was accepted.');
}

describe('loadConfig', () => {
  it('fills in the defaults of the base configuration', () => {
    expect(loadConfig(baseConfigSchema, { ...good, OTHER: 'ignored' }, 'runs')).toEqual({
      ...good,
      NODE_ENV: 'production',
      REDIS_ALLOW_NO_PASSWORD: false,
      LOG_LEVEL: 'info',
      REDIS_PREFIX: 'aos',
      HEALTH_PORT: 0,
      HEALTH_HOST: '127.0.0.1',
      SHUTDOWN_GRACE_MS: 15_000,
      DATABASE_POOL_SIZE: 10,
      ...loadConfig(z.object(tracingSettings), {}, 'runs'),
    });
  });

  it('counts an empty variable as unset', () => {
    const config = loadConfig(baseConfigSchema, { ...good, LOG_LEVEL: '', HEALTH_PORT: '' }, 'runs');
    expect(config).toMatchObject({ LOG_LEVEL: 'info', HEALTH_PORT: 0 });
    expect(errorOf(baseConfigSchema, { ...good, REDIS_URL: '' }).problems).toEqual([
      'REDIS_URL: is required',
    ]);
  });

  it('reports all problems at once, a line for each variable', () => {
    const schema = baseConfigSchema.extend({ PORT: port });
    const error = errorOf(schema, {
      PORT: '70000',
      LOG_LEVEL: 'loud',
      NODE_ENV: 'staging',
      DATABASE_URL: 'mysql://db',
      REDIS_PREFIX: 'A B',
      HEALTH_PORT: '-1',
      SHUTDOWN_GRACE_MS: '15s',
      SECRETS_KEYS: 'k1:short',
    });
    expect([...error.problems].sort()).toEqual([
      'DATABASE_URL: must be a URL that begins with postgres:// or postgresql://',
      'HEALTH_PORT: must be a whole number from 0 to 65535',
      'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent',
      'NODE_ENV: must be development, test or production',
      'PORT: must be a whole number from 1 to 65535',
      'REDIS_PREFIX: must consist of a-z, 0-9, "_" and "-"',
      'REDIS_URL: is required',
      'SECRETS_KEYS: key 1 must be the base64 of exactly 32 bytes',
      'SHUTDOWN_GRACE_MS: must be a whole number from 0 to 2147483647',
    ]);
    expect(error.message).toContain('runs cannot start');
    expect(error.message.split('\n')).toHaveLength(10);
  });

  it('joins several reasons for one variable on its line', () => {
    const schema = z.object({ NAME: z.string().min(9, 'must be longer').regex(/^\d+$/, 'must be digits') });
    expect(errorOf(schema, { NAME: 'abc' }).problems).toEqual(['NAME: must be longer; must be digits']);
  });

  it('shows no value, whichever kind of rule refuses it', () => {
    const secret = 's3cr3t-v4lue.(x)';
    const schema = z.object({
      ENUM: z.enum(['a', 'b']),
      LITERAL: z.literal('a'),
      NUMBER: z.coerce.number(),
      INTEGER: z.coerce.number().int(),
      BIGINT: z.coerce.bigint(),
      DATE: z.coerce.date(),
      URL: z.url(),
      EMAIL: z.email(),
      UUID: z.uuid(),
      BASE64: z.base64(),
      JSON: z.json().refine(() => false),
      PATTERN: z.string().regex(/^a$/),
      STARTS: z.string().startsWith('a'),
      LONG: z.string().max(3),
      UNION: z.union([z.literal('a'), z.literal('b')]),
      TUPLE: z.array(z.string()),
      STRINGBOOL: z.stringbool(),
      HANDWRITTEN: z.string().refine(() => false, { error: (issue) => `no good: ${String(issue.input)}` }),
      CROSS: z.string().refine(() => false, `ENUM is ${secret}, which does not go with it`),
    });
    const names = Object.keys(schema.shape);
    const error = errorOf(schema, Object.fromEntries(names.map((name) => [name, secret])));
    expect(error.problems).toHaveLength(names.length);
    expect(error.message).not.toContain(secret);
    expect(error.message).toContain('HANDWRITTEN: no good: ***');
    expect(JSON.stringify(error)).not.toContain(secret);
  });

  it('turns a rule that throws into a problem without its message', () => {
    const schema = z.object({ URL: z.string().transform((text) => new URL(text).host) });
    const error = errorOf(schema, { URL: 'hunter2hunter2' });
    expect(error.problems).toEqual(['configuration: a rule of the schema threw TypeError']);
    expect(error.cause).toBeUndefined();
  });

  it('names the whole configuration when a rule is about several variables', () => {
    const schema = z.object({ A: z.string() }).refine(() => false, 'A and B exclude each other');
    expect(errorOf(schema, { A: 'x' }).problems).toEqual(['configuration: A and B exclude each other']);
  });
});

describe('schemas of variables', () => {
  it.each([
    [port, '8080', 8080],
    [port, '65535', 65_535],
    [milliseconds, '0', 0],
    [booleanText, 'true', true],
    [booleanText, 'false', false],
    [wholeNumber(2, 4), '3', 3],
    [urlOf('https', 'http'), 'http://localhost:8080/x', 'http://localhost:8080/x'],
    [commaList, ' a, b,,c ', ['a', 'b', 'c']],
    [commaList, ',', []],
  ])('accepts %#', (schema: z.ZodType, text, value) => {
    expect(schema.parse(text)).toEqual(value);
  });

  it.each([
    [port, '0'],
    [port, '65536'],
    [port, ' 80'],
    [port, '8e1'],
    [port, '0x50'],
    [milliseconds, '1.5'],
    [milliseconds, '2147483648'],
    [booleanText, 'TRUE'],
    [booleanText, '1'],
    [urlOf('https'), 'http://example.com'],
    [urlOf('https'), 'https:example.com'],
    [urlOf('https'), 'https://'],
  ])('refuses %#: %s', (schema: z.ZodType, text) => {
    expect(schema.safeParse(text).success).toBe(false);
  });

  it('lets an app give defaults in their final type', () => {
    expect(z.object({ PORT: port.default(8080), FLAG: booleanText.default(false) }).parse({})).toEqual({
      PORT: 8080,
      FLAG: false,
    });
  });
});
