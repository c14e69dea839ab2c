import { pricesSettingSchema } from '../config/prices.js';
import { estimatedCost } from './estimated-cost.js';

const prices = pricesSettingSchema.parse(
  JSON.stringify({
    'openai/gpt-5': { input: '1.25', output: 10 },
    'openai/*': { input: '0.5', output: '1' },
    'builtin/*': { input: 0, output: 0 },
  }),
);
const tokens = (model: string, input_tokens: number, output_tokens: number) => ({
  model,
  input_tokens,
  output_tokens,
});

describe('an estimated cost', () => {
  it('is what each model costs, exactly', () => {
    const used = [tokens('openai/gpt-5', 1_000_000, 100_000), tokens('openai/gpt-5-mini', 3, 1)];
    expect(estimatedCost(used, prices, 'USD')).toEqual({ amount: '2.2500025', currency: 'USD' });
  });

  it('is nothing for what costs nothing, and for what no model has used', () => {
    expect(estimatedCost([tokens('builtin/scripted', 10, 10), tokens('', 0, 0)], prices, 'EUR')).toEqual({
      amount: '0',
      currency: 'EUR',
    });
  });

  it('keeps every digit of large sums', () => {
    expect(estimatedCost([tokens('openai/gpt-5', 1e15 + 1, 0)], prices, 'USD')).toEqual({
      amount: '1250000000.00000125',
      currency: 'USD',
    });
  });

  it('is unknown without prices, and where a model that was used has none', () => {
    expect(estimatedCost([tokens('openai/gpt-5', 1, 1)], {}, 'USD')).toBeNull();
    expect(estimatedCost([tokens('anthropic/claude', 1, 0)], prices, 'USD')).toBeNull();
  });

  it.each(['no JSON', '[]', '{"m": {"input": 1}}', '{"m": {"input": "-1", "output": 1}}', '{"m": 1}'])(
    'refuses the prices %s',
    (text) => expect(pricesSettingSchema.safeParse(text).success).toBe(false),
  );
});
