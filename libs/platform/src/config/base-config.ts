import { z } from 'zod';
import { logLevels } from '../logging/logger.js';
import { tracingSettings } from './tracing-settings.js';
import {
  booleanText,
  certificateFile,
  milliseconds,
  secretsKeys,
  urlOf,
  wholeNumber,
} from './config-schemas.js';

/** The variables every service reads; an app extends it with its own: `baseConfigSchema.extend({ PORT: port })`. */
export const baseConfigSchema = z.object({
  // Without a word from outside assume the strictest.
  NODE_ENV: z
    .enum(['development', 'test', 'production'], 'must be development, test or production')
    .default('production'),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  DATABASE_URL: urlOf('postgres', 'postgresql'),
  DATABASE_POOL_SIZE: wholeNumber(1, 1000).default(10),
  /** Who vouches for the database, where that is no public authority. */
  DATABASE_TLS_CA: certificateFile.optional(),
  /** With user and password; `rediss` for TLS. */
  REDIS_URL: urlOf('redis', 'rediss'),
  REDIS_TLS_CA: certificateFile.optional(),
  /** On where a network of its own guards Redis: a client that can write there is an administrator. */
  REDIS_ALLOW_NO_PASSWORD: booleanText.default(false),
  REDIS_PREFIX: z
    .string()
    .regex(/^[a-z0-9_-]+$/, 'must consist of a-z, 0-9, "_" and "-"')
    .default('aos'),
  SECRETS_KEYS: secretsKeys,
  /** 0 = no health listener. */
  HEALTH_PORT: wholeNumber(0, 65_535).default(0),
  HEALTH_HOST: z.string().default('127.0.0.1'),
  SHUTDOWN_GRACE_MS: milliseconds.default(15_000),
  ...tracingSettings,
});

export type BaseConfig = z.output<typeof baseConfigSchema>;
