import { z } from 'zod';

/** As text and exact: a float would show a cent that no price has. */
const decimal = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a decimal number such as "2.50"'));

const priceSchema = z.strictObject({
  /** Price per million input tokens. */
  input: decimal,
  /** Price per million output tokens. */
  output: decimal,
});

export type ModelPrice = z.output<typeof priceSchema>;
export type ModelPrices = Readonly<Record<string, ModelPrice>>;

/** `{"openai/gpt-5": {"input": "1.25", "output": "10"}}`; a name that ends with `*` is for every model that begins so. */
export const pricesSettingSchema = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string().min(1), priceSchema));

/** The price of a model: its own, else that of the longest beginning. */
export function priceOf(prices: ModelPrices, model: string): ModelPrice | undefined {
  if (Object.hasOwn(prices, model)) return prices[model];
  const [longest] = Object.keys(prices)
    .filter((name) => name.endsWith('*') && model.startsWith(name.slice(0, -1)))
    .sort((a, b) => b.length - a.length);
  return longest === undefined ? undefined : prices[longest];
}
