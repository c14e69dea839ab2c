import { isIP } from 'node:net';
import { isForbiddenAddress, type AllowedRanges } from './rules/address-rules.js';
import { dnsResolve, resolveWithin, type Resolve } from './rules/resolve.js';
import { checkUrl, refused, type UrlCheck } from './rules/url-rules.js';

export interface GuardOptions {
  readonly allowed: AllowedRanges;
  readonly resolve?: Resolve;
  readonly resolveTimeoutMs?: number;
}

export const resolvedReason = 'The host of the URL resolves to a private, local or reserved address.';

/** Judges a URL before anything connects, for example when a webhook is created. Never throws. */
export class EgressGuard {
  private readonly allowed: AllowedRanges;
  private readonly resolve: Resolve;
  private readonly resolveTimeoutMs: number;

  constructor({ allowed, resolve = dnsResolve(), resolveTimeoutMs = 2_000 }: GuardOptions) {
    this.allowed = allowed;
    this.resolve = resolve;
    this.resolveTimeoutMs = resolveTimeoutMs;
  }

  /** A name that does not resolve now is accepted: the connection has the last word, see `guardedAgent`. */
  async check(text: string): Promise<UrlCheck> {
    const verdict = checkUrl(text, { allowed: this.allowed });
    if (!verdict.ok || isLiteral(verdict.url.hostname)) return verdict;
    const addresses = await resolveWithin(this.resolve, verdict.url.hostname, this.resolveTimeoutMs);
    const inside = addresses.some((address) => isForbiddenAddress(address, this.allowed));
    return inside ? refused(resolvedReason) : verdict;
  }
}

function isLiteral(hostname: string): boolean {
  return hostname.startsWith('[') || isIP(hostname) !== 0;
}
