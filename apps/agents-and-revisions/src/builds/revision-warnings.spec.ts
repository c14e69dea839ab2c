import { ModelCatalog } from '@aos/agent-runtime';
import { buildConfigSchema } from '@aos/contracts';
import { RevisionWarnings } from './revision-warnings.js';

const warnings = new RevisionWarnings(new ModelCatalog({ openai: { apiKey: 'key' } }));

function warningsOf(model: string | undefined, input = 'Answer.'): string[] {
  const models = model === undefined ? {} : { agent: { model } };
  return warnings.of(buildConfigSchema.parse({ data: { models, input } }));
}

describe('the warnings of a revision', () => {
  it.each(['openai/gpt-9', 'gpt-9', undefined])('are none for the model %s, which is there', (model) => {
    expect(warningsOf(model)).toEqual([]);
  });

  it.each([
    ['anthropic/claude-9', 'ANTHROPIC_API_KEY'],
    ['claude-9', 'ANTHROPIC_API_KEY'],
    ['compatible/any', 'COMPATIBLE_BASE_URL'],
  ])('name the setting that %s lacks', (model, setting) => {
    expect(warningsOf(model)).toEqual([expect.stringContaining(`have the operator set ${setting}.`)]);
  });

  it('name the lines of steps that cannot be parsed', () => {
    const input = ['# Do', '```steps', 'say one', 'dance', 'wait long', '```'].join('\n');
    expect(warningsOf(undefined, input)).toEqual([
      expect.stringMatching(/line 4: unknown step "dance".*; line 5: wait needs a whole number/),
    ]);
    // Another model reads them as text.
    expect(warningsOf('openai/gpt-9', input)).toEqual([]);
  });
});
