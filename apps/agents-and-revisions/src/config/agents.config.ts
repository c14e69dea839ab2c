import { modelSettings } from '@aos/agent-runtime';
import { wholeNumber } from '@aos/platform';
import { serviceConfigSchema } from '@aos/service';
import type { z } from 'zod';

/** Settings of this service beside those of every service. */
export const agentsConfigSchema = serviceConfigSchema.extend({
  ...modelSettings,
  /** A builder run whose worker died is taken over after this time and a quarter of it more. */
  BUILDER_LEASE_MS: wholeNumber(1_000, 600_000).default(20_000),
});

export type AgentsConfig = z.output<typeof agentsConfigSchema>;

/** Injection token of the settings. */
export const AgentsSettings = Symbol('AgentsSettings');
