import { AppError, type Plan, type PlanFeatures, type PlanLimits } from '@aos/contracts';

export type PlanFeature = keyof PlanFeatures;

const featureNames: Readonly<Record<PlanFeature, string>> = {
  browser: 'the browser',
  code: 'running code',
  mcp: 'MCP',
  artifacts: 'artifacts',
};

/** Why something that needs a part of the product is not done. */
export function featureMissing(feature: PlanFeature): string {
  return `The plan of the team does not include ${featureNames[feature]}.`;
}

/** Refuses what needs a part of the product that the plan does not have. */
export function assertFeature({ features }: Plan, feature: PlanFeature): void {
  if (!features[feature]) throw new AppError('entitlement_exceeded', featureMissing(feature));
}

/** Which limit of its plan a team has reached. */
export function entitlementExceeded(kind: keyof PlanLimits, limit: number): AppError {
  return new AppError('entitlement_exceeded', `The plan of the team allows ${limit}: ${kind}.`);
}
