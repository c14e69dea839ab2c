export { isForbiddenAddress, parseAllowedRanges, type AllowedRanges } from './rules/address-rules.js';
export { ForbiddenAddress, guardedAgent, type GuardedAgentOptions } from './dispatcher.js';
export {
  createEgress,
  type Egress,
  type EgressOptions,
  type EgressRequest,
  type EgressResponse,
} from './egress.js';
export { EgressError, type EgressErrorKind } from './egress-error.js';
export { egressSettings } from './egress-settings.js';
export { isHostOf } from './rules/host-list.js';
export { EgressGuard, type GuardOptions } from './guard.js';
export { dnsResolve, type DnsOptions, type Resolve } from './rules/resolve.js';
export { checkUrl, type UrlCheck } from './rules/url-rules.js';
