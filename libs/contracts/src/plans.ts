import { z } from 'zod';

const limit = z.int().min(0).nullable();

/** Null means unlimited. */
export const planLimitsSchema = z.object({
  agents: limit,
  concurrent_runs: limit,
  runs_per_month: limit,
  schedules_per_agent: limit,
  webhooks: limit,
  queues: limit,
  rate_limit_per_minute: limit,
});

/** The tool sets and parts of the product that a plan has. */
export const planFeaturesSchema = z.object({
  browser: z.boolean(),
  code: z.boolean(),
  mcp: z.boolean(),
  artifacts: z.boolean(),
});

export type PlanLimits = z.output<typeof planLimitsSchema>;
export type PlanFeatures = z.output<typeof planFeaturesSchema>;

export interface Plan {
  readonly features: PlanFeatures;
  readonly limits: PlanLimits;
}

const everything: PlanFeatures = { browser: true, code: true, mcp: true, artifacts: true };

/** Every plan, by its name. The rate limit of a plan without one is the installation's own. */
export const plans = {
  /** Without limits but for the technical ones, which are not a plan's. */
  self_hosted: {
    features: everything,
    limits: {
      agents: null,
      concurrent_runs: null,
      runs_per_month: null,
      schedules_per_agent: null,
      webhooks: null,
      queues: null,
      rate_limit_per_minute: null,
    },
  },
  /** Tool sets that run no foreign code and open no foreign pages. */
  free: {
    features: { browser: false, code: false, mcp: false, artifacts: false },
    limits: {
      agents: 1,
      concurrent_runs: 1,
      runs_per_month: 50,
      schedules_per_agent: 1,
      webhooks: 1,
      queues: 1,
      rate_limit_per_minute: 60,
    },
  },
  trial: {
    features: { browser: false, code: true, mcp: true, artifacts: false },
    limits: {
      agents: 3,
      concurrent_runs: 2,
      runs_per_month: 500,
      schedules_per_agent: 1,
      webhooks: 2,
      queues: 1,
      rate_limit_per_minute: 600,
    },
  },
  standard: {
    features: everything,
    limits: {
      agents: 50,
      concurrent_runs: 20,
      runs_per_month: 50_000,
      schedules_per_agent: 5,
      webhooks: 20,
      queues: 50,
      rate_limit_per_minute: 6_000,
    },
  },
} as const satisfies Record<string, Plan>;

export type PlanName = keyof typeof plans;

export const planNames = Object.keys(plans) as [PlanName, ...PlanName[]];

export const planNameSchema = z.enum(planNames);

/** The plan of a team of which nothing else is known. */
export const defaultPlan: PlanName = 'self_hosted';

/** A plan that an older or newer replica does not know is as the default one: a team's work goes on. */
export function planOf(name: string): Plan {
  return Object.hasOwn(plans, name) ? plans[name as PlanName] : plans[defaultPlan];
}
