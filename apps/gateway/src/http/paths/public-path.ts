/** Returns the path of a request target, without query and fragment. */
export function pathOf(url: string): string {
  return /^[^?#]*/.exec(url)![0];
}

/** First segments of the service's own paths. The path of the public address may not begin with one of them. */
const ownSegments = ['', 'v2', 'oauth', 'auth', '.well-known', 'docs', 'console', 'healthz', 'readyz'];

/** Whether a path, or what begins with it, may be one of the service's own. */
export function isOwnPath(path: string): boolean {
  return ownSegments.includes(path.split('/')[1] ?? '');
}

/** The path of the public address: `/agents` of `https://example.com/agents`, empty without one. */
export function publicPathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/+$/, '');
}

/** Why a public address cannot be used, if it cannot. */
export function explainBadAddress(baseUrl: string): string | undefined {
  const { search, hash, username } = new URL(baseUrl);
  if (search !== '' || hash !== '' || username !== '') return 'must not have a query, a fragment or a user';
  const path = publicPathOf(baseUrl);
  if (!/^(\/[\w.~-]+)*$/.test(path)) return 'must have a path of letters, digits, "-", ".", "_" and "~"';
  const isTaken = path !== '' && isOwnPath(path);
  return isTaken ? 'must not have a path that begins like those of the service, as /v2 does' : undefined;
}

/**
 * The target without the public path. A proxy in front may have taken the path off already, then there is nothing to do.
 * Well-known documents of an address with a path have the path behind their name (RFC 8414, RFC 9728).
 */
export function withoutPublicPath(url: string, publicPath: string): string {
  const path = pathOf(url);
  const rest = below(path, publicPath);
  if (rest !== undefined) return (rest === '' ? '/' : rest) + url.slice(path.length);
  const [, document, behind] = /^(\/\.well-known\/[^/]+)(\/.*)$/.exec(path) ?? [];
  const resource = behind === undefined ? undefined : below(behind, publicPath);
  return resource === undefined ? url : document + resource + url.slice(path.length);
}

/** Returns the path behind the prefix, or undefined. */
function below(path: string, prefix: string): string | undefined {
  return path === prefix || path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}
