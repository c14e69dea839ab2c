export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
}

/** The address of a database whose server may be any of several hosts. */
export interface DatabaseAddress {
  readonly hosts: readonly DatabaseHost[];
  /** With any of the hosts alone, as pg takes it. */
  urlOf(host: DatabaseHost): string;
  /** `any` does with a server that only reads; a service needs one that writes. */
  readonly needs: 'read-write' | 'any';
}

const defaultPort = 5432;
/** Protocol, user and password, hosts, the rest. */
const parts = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]+)([/?#].*)?$/;
/** A name, an IPv4 address, or an IPv6 address in brackets; then perhaps a port. */
const hostAndPort = /^(\[[0-9a-fA-F:.]+\]|[^[\]:]+)(?::(\d{1,5}))?$/;
const purposes = { 'read-write': 'read-write', primary: 'read-write', any: 'any' } as const;

/**
 * Reads `postgres://user:password@one:5432,two:5433/name?target_session_attrs=read-write`, as libpq does; undefined if it
 * cannot be read. pg knows of one host only.
 */
export function parseDatabaseUrl(text: string): DatabaseAddress | undefined {
  const [, protocol, credentials = '', list, rest = ''] = parts.exec(text) ?? [];
  const hosts = list?.split(',').map(hostOf);
  if (!hosts?.every((host) => host !== undefined)) return undefined;
  const single = ({ host, port }: DatabaseHost, tail: string) =>
    `${protocol}${credentials}${host.includes(':') ? `[${host}]` : host}:${port}${tail}`;
  if (!URL.canParse(single(hosts[0]!, rest))) return undefined;
  const url = new URL(single(hosts[0]!, rest));
  const wish = url.searchParams.get('target_session_attrs') ?? 'read-write';
  if (!(wish in purposes)) return undefined;
  // pg would send it to the server as a setting of the session, which it is not.
  const tail = rest.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_, before: string, after: string) =>
    after ? before : '',
  );
  return {
    hosts,
    urlOf: (host) => (hosts.length === 1 && tail === rest ? text : single(host, tail)),
    needs: purposes[wish as keyof typeof purposes],
  };
}

export function databaseAddress(url: string): DatabaseAddress {
  const address = parseDatabaseUrl(url);
  if (!address) throw new Error('The URL of the database cannot be read');
  return address;
}

/** The address with one more parameter, unless it has that one. */
export function withUrlParameter(url: string, name: string, value: string): string {
  const { hosts, urlOf } = databaseAddress(url);
  if (new URL(urlOf(hosts[0]!)).searchParams.has(name)) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
}

function hostOf(text: string): DatabaseHost | undefined {
  const [, host, port] = hostAndPort.exec(text) ?? [];
  if (!host || Number(port) > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? defaultPort : Number(port) };
}
