import { urlOf, wholeNumber, type Tracing } from '@aos/platform';
import { z } from 'zod';
import { ModelCatalog } from './model-catalog.js';

const apiKey = z.string().min(1).optional();
const baseUrl = urlOf('http', 'https').optional();

/** The settings of every service that asks models; its config is extended with them. */
export const modelSettings = {
  /** Without a key the provider's models are not there; the base address is for proxies. */
  OPENAI_API_KEY: apiKey,
  OPENAI_BASE_URL: baseUrl,
  ANTHROPIC_API_KEY: apiKey,
  ANTHROPIC_BASE_URL: baseUrl,
  /** Any endpoint that speaks OpenAI's protocol; it may need no key. */
  COMPATIBLE_API_KEY: apiKey,
  COMPATIBLE_BASE_URL: baseUrl,
  MODEL_TIMEOUT_MS: wholeNumber(100, 3_600_000).default(120_000),
};

export type ModelSettings = z.output<z.ZodObject<typeof modelSettings>>;

/** The models that these settings give. */
export function modelCatalogOf(settings: ModelSettings, tracing?: Tracing): ModelCatalog {
  return new ModelCatalog({
    tracing,
    openai: { apiKey: settings.OPENAI_API_KEY, baseUrl: settings.OPENAI_BASE_URL },
    anthropic: { apiKey: settings.ANTHROPIC_API_KEY, baseUrl: settings.ANTHROPIC_BASE_URL },
    compatible: { apiKey: settings.COMPATIBLE_API_KEY, baseUrl: settings.COMPATIBLE_BASE_URL },
    timeoutMs: settings.MODEL_TIMEOUT_MS,
  });
}
