import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import {
  checkUrl,
  dnsResolve,
  ForbiddenAddress,
  isForbiddenAddress,
  type AllowedRanges,
  type Resolve,
} from '@aos/egress';

export interface EgressRules {
  readonly allowed: AllowedRanges;
  /** DNS itself unless told otherwise. */
  readonly resolve?: Resolve;
}

/** No connection although the guard has nothing against it. The message can be shown to a team. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** The URL in the spelling that was judged; throws `ForbiddenAddress` when the rules refuse it. */
export function judge(text: string, { allowed }: EgressRules): URL {
  const verdict = checkUrl(text, { allowed });
  if (!verdict.ok) throw new ForbiddenAddress(verdict.reason);
  return verdict.url;
}

/**
 * Connects to the host of a judged URL: to the very addresses that were checked, all of which must be open.
 * Throws `ForbiddenAddress` or `Unreachable`.
 */
export async function connectGuarded(url: URL, rules: EgressRules, timeoutMs: number): Promise<Socket> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unreachable('The connection was not made in time.')), timeoutMs);
  });
  let socket: Socket | undefined;
  try {
    const addresses = await Promise.race([addressesOf(url, rules), late]);
    socket = connectTo(url, addresses);
    await Promise.race([connected(socket), late]);
    // The second line: whatever led here, this is where the bytes would go.
    if (isForbiddenAddress(socket.remoteAddress ?? '', rules.allowed))
      throw new ForbiddenAddress(insideReason);
    return socket;
  } catch (error) {
    socket?.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const insideReason = 'The host of the URL resolves to a private, local or reserved address.';

async function addressesOf(
  url: URL,
  { allowed, resolve = dnsResolve() }: EgressRules,
): Promise<readonly string[]> {
  const host = hostOf(url);
  const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
  if (addresses.length === 0) throw new Unreachable('The host name does not resolve.');
  if (addresses.some((address) => isForbiddenAddress(address, allowed)))
    throw new ForbiddenAddress(insideReason);
  return addresses;
}

function connectTo(url: URL, addresses: readonly string[]): Socket {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_hostname, { all }, callback) => {
    if (all) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return connect({ host: hostOf(url), port, lookup, autoSelectFamily: true, noDelay: true });
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve());
    // Stays: a socket that fails later, or after the time was up, must not end the process.
    socket.on('error', (error) =>
      reject(new Unreachable('The connection could not be made.', { cause: error })),
    );
  });
}

function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
