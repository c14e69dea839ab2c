import type { EstimatedCost } from '@aos/contracts';
import { priceOf, type ModelPrices } from '../config/prices.js';

export interface ModelTokens {
  /** Empty where no model was used. */
  readonly model: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** Prices are of a million tokens and have at most nine decimals: sums are whole numbers of this many to one. */
const decimals = 9;
const tokenDecimals = 6;

/** Null if a used model has no price: a partial sum would mislead. */
export function estimatedCost(
  used: readonly ModelTokens[],
  prices: ModelPrices,
  currency: string,
): EstimatedCost {
  if (Object.keys(prices).length === 0) return null;
  let sum = 0n;
  for (const { model, input_tokens: input, output_tokens: output } of used) {
    if (input + output === 0) continue;
    const price = priceOf(prices, model);
    if (!price) return null;
    sum += BigInt(input) * scaled(price.input) + BigInt(output) * scaled(price.output);
  }
  return { amount: decimalText(sum, decimals + tokenDecimals), currency };
}

function scaled(price: string): bigint {
  const [whole = '0', fraction = ''] = price.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

function decimalText(value: bigint, scale: number): string {
  const digits = value.toString().padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  const whole = digits.slice(0, -scale);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
