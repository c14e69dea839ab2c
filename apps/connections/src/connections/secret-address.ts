/** An address that authenticates by itself: only its origin may be shown. */
export interface SecretAddress {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
}

export function splitAddress(address: string): SecretAddress {
  const { origin, pathname, search } = new URL(address);
  return { origin, path: `${pathname}${search}` };
}

/** Put together as text: a path that begins with two slashes would name another host if it were resolved. */
export function joinAddress({ origin, path }: SecretAddress): string {
  return `${origin}${path}`;
}
