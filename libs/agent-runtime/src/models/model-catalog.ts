import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Tracing } from '@aos/platform';
import { AiSdkModel } from './ai-sdk-model.js';
import { ModelError } from './errors/model-error.js';
import type { Model } from './model.js';
import { RetryingModel } from './retrying-model.js';
import type { SdkModel } from './shallow-calls.js';
import { TracedModel } from './traced-model.js';

export interface ProviderSettings {
  readonly apiKey?: string;
  readonly baseUrl?: string;
}

export interface ModelCatalogOptions {
  readonly openai?: ProviderSettings;
  readonly anthropic?: ProviderSettings;
  /** Any endpoint that speaks OpenAI's protocol. */
  readonly compatible?: ProviderSettings;
  readonly timeoutMs?: number;
  readonly tracing?: Tracing;
}

const defaultTimeoutMs = 120_000;

/** Finds the model behind `<provider>/<name>`. The built-in one is no provider's and is not found here. */
export class ModelCatalog {
  constructor(private readonly options: ModelCatalogOptions) {}

  find(name: string): Model {
    const slash = name.indexOf('/');
    const model = this.provider(name.slice(0, slash), name.slice(slash + 1));
    if (!model)
      throw new ModelError('permanent', `The model ${name} is not configured on this installation.`);
    const { timeoutMs = defaultTimeoutMs, tracing = Tracing.off } = this.options;
    return new TracedModel(new RetryingModel(new AiSdkModel({ model, name, timeoutMs })), name, tracing);
  }

  /** The setting without which a model is not there; undefined where it is there. */
  missingSetting(name: string): string | undefined {
    const provider = name.slice(0, name.indexOf('/'));
    const { openai, anthropic, compatible } = this.options;
    if (provider === 'openai' && !openai?.apiKey) return 'OPENAI_API_KEY';
    if (provider === 'anthropic' && !anthropic?.apiKey) return 'ANTHROPIC_API_KEY';
    if (provider === 'compatible' && !compatible?.baseUrl) return 'COMPATIBLE_BASE_URL';
    return undefined;
  }

  private provider(provider: string, model: string): SdkModel | undefined {
    const { openai, anthropic, compatible } = this.options;
    if (provider === 'openai' && openai?.apiKey) {
      return createOpenAI({ apiKey: openai.apiKey, baseURL: openai.baseUrl }).chat(model);
    }
    if (provider === 'anthropic' && anthropic?.apiKey) {
      return createAnthropic({ apiKey: anthropic.apiKey, baseURL: anthropic.baseUrl })(model);
    }
    if (provider === 'compatible' && compatible?.baseUrl) {
      const { apiKey, baseUrl } = compatible;
      return createOpenAICompatible({ name: 'compatible', apiKey, baseURL: baseUrl, includeUsage: true })(
        model,
      );
    }
    return undefined;
  }
}
