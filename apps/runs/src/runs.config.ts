import { urlOf, wholeNumber } from '@aos/platform';
import { serviceConfigSchema } from '@aos/service-host';
import { z } from 'zod';

const apiKey = z.string().min(1).optional();
const baseUrl = urlOf('http', 'https').optional();

/** Settings of this service beside those of every service. */
export const runsConfigSchema = serviceConfigSchema.extend({
  /** Without a key the provider's models are not there; the base address is for proxies. */
  OPENAI_API_KEY: apiKey,
  OPENAI_BASE_URL: baseUrl,
  ANTHROPIC_API_KEY: apiKey,
  ANTHROPIC_BASE_URL: baseUrl,
  /** Any endpoint that speaks OpenAI's protocol; it may need no key. */
  COMPATIBLE_API_KEY: apiKey,
  COMPATIBLE_BASE_URL: baseUrl,
  MODEL_TIMEOUT_MS: wholeNumber(100, 3_600_000).default(120_000),
  /** How much of a long run a model is shown. */
  MODEL_CONTEXT_CHARS: wholeNumber(1_000, 10_000_000).default(400_000),
  /** A run whose worker died is taken over after this time and a quarter of it more. */
  RUN_LEASE_MS: wholeNumber(1_000, 600_000).default(16_000),
});

export type RunsConfig = z.output<typeof runsConfigSchema>;

/** Injection token of the settings. */
export const RunsSettings = Symbol('RunsSettings');
