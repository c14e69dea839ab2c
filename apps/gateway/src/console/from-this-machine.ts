import { isIP } from 'node:net';

export interface RequestOrigin {
  /** The address of the socket, not of proxy headers. */
  readonly remoteAddress: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A proxy on this machine has the address of this machine, whoever is behind it; these give it away. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Whether a person at this very machine asks. The name in `Host` counts too: a page whose name was made to lead here has
 * another one, and so does whoever comes through a proxy that says nothing of itself.
 */
export function isFromThisMachine({ remoteAddress, headers }: RequestOrigin): boolean {
  if (!isLoopback(remoteAddress ?? '')) return false;
  if (proxyHeaders.some((name) => headers[name] !== undefined)) return false;
  const { host, origin } = headers;
  if (typeof host !== 'string' || !isLocalName(nameOf(`http://${host}`))) return false;
  if (origin === undefined) return true;
  return typeof origin === 'string' && URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

function nameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

function isLocalName(name: string): boolean {
  return name === 'localhost' || isLoopback(name.replace(/^\[|\]$/g, ''));
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}
