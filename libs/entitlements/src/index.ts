export { Entitlements, type EntitlementSettings } from './entitlements.js';
export { EntitlementsModule, entitlementsModel } from './entitlements.module.js';
export { assertFeature, entitlementExceeded, featureMissing, type PlanFeature } from './plan-refusals.js';
export { TeamCopies } from './team-copies.js';
