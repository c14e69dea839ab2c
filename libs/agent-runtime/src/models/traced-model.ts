import type { SpanDraft, Tracing } from '@aos/platform';
import { ModelError } from './errors/model-error.js';
import type { Model, ModelRequest, ModelTurn, TokenUsage } from './model.js';

/** A span for each turn, by the conventions for generative AI: what was asked and said is not in it. */
export class TracedModel implements Model {
  private readonly provider: string;
  private readonly model: string;

  constructor(
    private readonly inner: Model,
    /** `<provider>/<name>`. */
    name: string,
    private readonly tracing: Tracing,
  ) {
    const slash = name.indexOf('/');
    this.provider = name.slice(0, slash);
    this.model = name.slice(slash + 1);
  }

  generate(request: ModelRequest): Promise<ModelTurn> {
    if (!this.tracing.enabled) return this.inner.generate(request);
    return this.tracing.part(this.span(request), async (span) => {
      try {
        const turn = await this.inner.generate(request);
        span.set({ ...usedBy(turn.usage), 'aos.model.attempts': turn.attempts ?? 1 });
        return turn;
      } catch (error) {
        if (error instanceof ModelError) span.set(usedBy(error.options.usage));
        throw error;
      }
    });
  }

  private span({ temperature, maxOutputTokens }: ModelRequest): SpanDraft {
    return {
      name: `chat ${this.model}`,
      kind: 'client',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': this.provider,
        // What backends of earlier conventions look for.
        'gen_ai.system': this.provider,
        'gen_ai.request.model': this.model,
        'gen_ai.request.temperature': temperature,
        'gen_ai.request.max_tokens': maxOutputTokens,
      },
    };
  }
}

function usedBy(usage: TokenUsage | undefined): Record<string, number> {
  if (!usage) return {};
  return {
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
  };
}
