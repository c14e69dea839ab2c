export { Entitlements, entitlementExceeded } from './entitlements.js';
export { EntitlementsModule, entitlementsModel } from './entitlements.module.js';
