import { modelSettings } from '@aos/agent-runtime';
import { egressSettings } from '@aos/egress';
import { wholeNumber } from '@aos/platform';
import { serviceConfigSchema } from '@aos/service-host';
import type { z } from 'zod';

/** Settings of this service beside those of every service. */
export const runsConfigSchema = serviceConfigSchema.extend({
  ...modelSettings,
  ...egressSettings,
  /** How much of a long run a model is shown. */
  MODEL_CONTEXT_CHARS: wholeNumber(1_000, 10_000_000).default(400_000),
  /** A run whose worker died is taken over after this time and a quarter of it more. */
  RUN_LEASE_MS: wholeNumber(1_000, 600_000).default(16_000),
});

export type RunsConfig = z.output<typeof runsConfigSchema>;

/** Injection token of the settings. */
export const RunsSettings = Symbol('RunsSettings');
