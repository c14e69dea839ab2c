import { isIP, type LookupFunction, type Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { isForbiddenAddress, type AllowedRanges } from './rules/address-rules.js';
import { resolvedReason } from './guard.js';
import { dnsResolve, resolveWithin, type Resolve } from './rules/resolve.js';
import { addressReason, checkUrl } from './rules/url-rules.js';

export interface GuardedAgentOptions {
  readonly allowed: AllowedRanges;
  readonly resolve?: Resolve;
  /** From the question to DNS to the end of the TLS handshake; undici counts with half a second of slack. */
  readonly connectTimeoutMs?: number;
  readonly maxHeaderBytes?: number;
  /** How long an unused connection is kept, unless the server asks for less. */
  readonly keepAliveMs?: number;
}

/** The guard refused to connect. The message is for people and names no address. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
  readonly code = 'EGRESS_FORBIDDEN';
}

/**
 * An undici agent that connects to checked addresses only. Keeps connections per origin, follows no redirects,
 * speaks HTTP/1.1 and reads no proxy settings.
 */
export function guardedAgent(options: GuardedAgentOptions): Agent {
  const { maxHeaderBytes = 16_384, keepAliveMs = 4_000 } = options;
  return new Agent({
    connect: guardedConnector(options),
    maxHeaderSize: maxHeaderBytes,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
  });
}

function guardedConnector(options: GuardedAgentOptions): buildConnector.connector {
  const { allowed, resolve = dnsResolve(), connectTimeoutMs = 3_000 } = options;
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    lookup: guardedLookup(allowed, (hostname) => resolveWithin(resolve, hostname, connectTimeoutMs)),
    autoSelectFamily: true,
  });
  return (target, callback) => {
    // Sockets do not look up a literal address, so the rules of URLs are asked here too.
    const verdict = checkUrl(`${target.protocol}//${target.host ?? target.hostname}`, { allowed });
    if (!verdict.ok) {
      process.nextTick(callback, new ForbiddenAddress(verdict.reason), null);
      return;
    }
    connect(target, (...result) => {
      const [error, socket] = result;
      const problem = error ? undefined : problemOfPeer(socket, allowed);
      if (!problem) return callback(...result);
      socket?.destroy();
      callback(problem, null);
    });
  };
}

/** The second line: whatever led here, this is where the bytes would go. */
function problemOfPeer({ remoteAddress }: Socket, allowed: AllowedRanges): Error | undefined {
  // A peer that is gone already has no address.
  if (remoteAddress === undefined) return Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  return isForbiddenAddress(remoteAddress, allowed) ? new ForbiddenAddress(addressReason) : undefined;
}

/** Gives the socket the very addresses that were checked, all of them or none. */
function guardedLookup(allowed: AllowedRanges, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    void resolve(hostname).then((addresses) => {
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      const [first] = found;
      if (!first) {
        callback(Object.assign(new Error('The host name does not resolve.'), { code: 'ENOTFOUND' }), []);
      } else if (addresses.some((address) => isForbiddenAddress(address, allowed))) {
        callback(new ForbiddenAddress(resolvedReason), []);
      } else if (options.all) {
        callback(null, found);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}
