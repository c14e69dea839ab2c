import { Resolver } from 'node:dns/promises';

/** All addresses of a name, IPv4 and IPv6; none, or a rejection, when it does not resolve. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export interface DnsOptions {
  /** When the time is up, what has arrived counts: a server that is silent about AAAA delays, no more. */
  readonly timeoutMs?: number;
  /** `address` or `address:port`; the system's when none are given. */
  readonly servers?: readonly string[];
}

/**
 * Asks DNS itself and not `dns.lookup`: there four slow names hold the thread pool of the whole process,
 * and the search list of a cluster completes a name to one of the inside.
 */
export function dnsResolve({ timeoutMs = 1_500, servers }: DnsOptions = {}): Resolve {
  return async (hostname) => {
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), timeoutMs);
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    clearTimeout(timer);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

/** Empty when the resolver is late, fails or knows no address. */
export async function resolveWithin(
  resolve: Resolve,
  hostname: string,
  timeoutMs: number,
): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((settle) => {
    timer = setTimeout(() => settle([]), timeoutMs);
  });
  const addresses = await Promise.race([resolve(hostname).catch(() => []), late]);
  clearTimeout(timer);
  return addresses;
}
