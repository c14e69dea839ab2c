import { buildConfigSchema } from './build-config.js';

const id = '0190a0b0-0000-7000-8000-000000000000';

function parse(data: unknown) {
  return buildConfigSchema.parse({ data } as never).data;
}

function modelOf(model: string): string {
  return parse({ models: { agent: { model } } }).models.agent.model;
}

describe('the config of a build', () => {
  it('takes sub-agents under both names, and their own name first', () => {
    const other = '0190a0b0-0000-7000-8000-000000000001';
    expect(parse({ subAgents: [id] })).toMatchObject({ sub_agents: [id] });
    expect(parse({ subAgents: [id] })).not.toHaveProperty('subAgents');
    expect(parse({ sub_agents: [other], subAgents: [id] })).toMatchObject({ sub_agents: [other] });
    expect(parse({})).toMatchObject({ sub_agents: [] });
    expect(() => parse({ subAgents: ['no id'] })).toThrow();
  });

  it.each([
    ['claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5'],
    ['gpt-5', 'openai/gpt-5'],
    ['o3-mini', 'openai/o3-mini'],
    ['anthropic/claude-x', 'anthropic/claude-x'],
    ['compatible/gpt-oss', 'compatible/gpt-oss'],
    ['builtin/scripted', 'builtin/scripted'],
  ])('takes the model %s for %s', (given, stored) => {
    expect(modelOf(given)).toBe(stored);
  });

  it.each(['llama-3', 'claude', 'gpt', 'ox', 'scripted', '', 'mistral/large', 'claude- x'])(
    'refuses the model %j',
    (model) => {
      expect(() => modelOf(model)).toThrow(/must be builtin\/scripted, or <provider>/);
    },
  );

  it('joins the texts of a list of messages by blank lines', () => {
    const input = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Answer mails.\nAll of them.' },
    ];
    expect(parse({ input }).input).toBe('Be kind.\n\nAnswer mails.\nAll of them.');
    expect(parse({ input: [] }).input).toBe('');
    expect(parse({ input: 'As it is.' }).input).toBe('As it is.');
    expect(parse({}).input).toBe('');
  });

  it('limits the joined text, and refuses what is no message', () => {
    const half = 'x'.repeat(100_000);
    const message = { role: 'user', content: half };
    expect(() => parse({ input: [message, message] })).toThrow(/Too big/);
    expect(parse({ input: [message] }).input).toHaveLength(100_000);
    for (const input of [[{ content: 'no role' }], [{ role: 'user' }], ['text'], 7, { role: 'user' }]) {
      expect(() => parse({ input })).toThrow();
    }
  });

  it('refuses a model for browsing, which no run would use, and nothing else that it does not know', () => {
    expect(() => parse({ models: { browsing: { model: 'gpt-5' } } })).toThrow(/browsing.*Not supported/s);
    const { error } = buildConfigSchema.safeParse({ data: { models: { browsing: 'gpt-5' } } });
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['data.models.browsing']);
    expect(parse({ models: { thinking: {}, agent: { model: 'gpt-5' } } }).models).toEqual({
      agent: { model: 'openai/gpt-5' },
    });
  });

  it('is the same again when it is read back', () => {
    const once = buildConfigSchema.parse({
      data: { models: { agent: { model: 'gpt-5' } }, input: [{ role: 'user', content: 'Hi' }] },
    });
    expect(buildConfigSchema.parse(once)).toEqual(once);
  });
});
