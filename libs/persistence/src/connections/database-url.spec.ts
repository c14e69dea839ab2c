import { parseDatabaseUrl, withUrlParameter } from './database-url.js';

const hostsOf = (url: string) => parseDatabaseUrl(url)?.hosts;

describe('the URL of a database', () => {
  it('is taken as it is where it names one host', () => {
    for (const url of [
      'postgres://aos:p%40ss@db:5432/aos?sslmode=verify-full',
      'postgresql://db/aos',
      'postgres://a:b@[::1]:5433/aos',
    ]) {
      const address = parseDatabaseUrl(url)!;
      expect(address.hosts).toHaveLength(1);
      expect(address.urlOf(address.hosts[0]!)).toBe(url);
    }
  });

  it('may name several hosts, each with a port of its own or the usual one', () => {
    const address = parseDatabaseUrl('postgres://aos:p%40ss@one:6432,two,[::1]:7/aos?sslmode=verify-full')!;
    expect(address.hosts).toEqual([
      { host: 'one', port: 6432 },
      { host: 'two', port: 5432 },
      { host: '::1', port: 7 },
    ]);
    expect(address.hosts.map(address.urlOf)).toEqual([
      'postgres://aos:p%40ss@one:6432/aos?sslmode=verify-full',
      'postgres://aos:p%40ss@two:5432/aos?sslmode=verify-full',
      'postgres://aos:p%40ss@[::1]:7/aos?sslmode=verify-full',
    ]);
  });

  it.each([
    ['postgres://one,two/aos', 'read-write', 'postgres://one:5432/aos'],
    ['postgres://one,two/aos?target_session_attrs=read-write', 'read-write', 'postgres://one:5432/aos'],
    ['postgres://one,two/aos?target_session_attrs=primary&a=b', 'read-write', 'postgres://one:5432/aos?a=b'],
    ['postgres://one,two/aos?a=b&target_session_attrs=any', 'any', 'postgres://one:5432/aos?a=b'],
    ['postgres://one/aos?target_session_attrs=any', 'any', 'postgres://one:5432/aos'],
  ])('%s says what kind of server is wanted', (url, needs, first) => {
    const address = parseDatabaseUrl(url)!;
    expect([address.needs, address.urlOf(address.hosts[0]!).replace(/\?$/, '')]).toEqual([needs, first]);
  });

  it.each([
    'mysql://db/aos',
    'postgres://',
    'postgres:///aos',
    'postgres://one,/aos',
    'postgres://one:70000/aos',
    'postgres://one:x,two/aos',
    'postgres://one,two/aos?target_session_attrs=standby',
    'no address',
  ])('%s is none', (url) => {
    expect(parseDatabaseUrl(url)).toBeUndefined();
  });

  it('keeps an @ of the password apart from the hosts', () => {
    expect(hostsOf('postgres://a:b%40c,d@one/aos')).toEqual([{ host: 'one', port: 5432 }]);
  });

  it('gets a parameter more, unless it has that one', () => {
    expect(withUrlParameter('postgres://one,two/aos', 'sslmode', 'verify-full')).toBe(
      'postgres://one,two/aos?sslmode=verify-full',
    );
    expect(withUrlParameter('postgres://one/aos?a=b', 'sslrootcert', '/a b')).toBe(
      'postgres://one/aos?a=b&sslrootcert=%2Fa%20b',
    );
    const own = 'postgres://one/aos?sslmode=no-verify';
    expect(withUrlParameter(own, 'sslmode', 'verify-full')).toBe(own);
  });
});
