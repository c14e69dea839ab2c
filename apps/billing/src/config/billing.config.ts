import { wholeNumber } from '@aos/platform';
import { serviceConfigSchema } from '@aos/service';
import { z } from 'zod';
import { pricesSettingSchema } from './prices.js';

/** Settings of this service beside those of every service. */
export const billingConfigSchema = serviceConfigSchema.extend({
  /** Prices per million tokens of each model, for estimated costs. */
  MODEL_PRICES: z.string().default('{}').pipe(pricesSettingSchema),
  MODEL_PRICES_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a code of three letters such as USD')
    .default('USD'),
  /** How long single records of usage are kept; the sums by day and month stay. */
  USAGE_RETENTION_DAYS: wholeNumber(32, 36_500).default(400),
  /** How often the sums are compared with the records. */
  USAGE_RECOUNT_EVERY_MS: wholeNumber(1_000, 86_400_000).default(21_600_000),
});

export type BillingConfig = z.output<typeof billingConfigSchema>;

/** Injection token of the settings. */
export const BillingSettings = Symbol('BillingSettings');
