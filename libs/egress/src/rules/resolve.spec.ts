import { dnsServer, type DnsRecords, type DnsServer } from '../../test/dns-server.js';
import { dnsResolve, resolveWithin } from './resolve.js';

describe('dnsResolve', () => {
  let server: DnsServer | undefined;
  afterEach(() => server?.close());

  async function addressesFrom(records: DnsRecords, timeoutMs?: number): Promise<readonly string[]> {
    server = await dnsServer(records);
    return dnsResolve({ servers: [server.address], timeoutMs })('hooks.example.com');
  }

  it('finds all addresses of both families', async () => {
    const addresses = await addressesFrom({
      a: ['93.184.215.14', '10.0.0.1'],
      aaaa: ['26064700470000000000000000001111'],
    });
    expect([...addresses].sort()).toEqual(['10.0.0.1', '2606:4700:4700::1111', '93.184.215.14']);
  });

  it('takes what there is when one family has none', async () => {
    expect(await addressesFrom({ a: [], aaaa: ['26064700470000000000000000001111'] })).toEqual([
      '2606:4700:4700::1111',
    ]);
  });

  it('takes what there is when the server is silent about one family', async () => {
    expect(await addressesFrom({ a: ['93.184.215.14'] }, 200)).toEqual(['93.184.215.14']);
  });

  it.each([{ a: [], aaaa: [] }, {}])('finds nothing in %j', async (records) => {
    expect(await addressesFrom(records, 200)).toEqual([]);
  });
});

describe('resolveWithin', () => {
  it('gives up a resolver that does not answer', async () => {
    expect(await resolveWithin(() => new Promise(() => undefined), 'example.com', 20)).toEqual([]);
  });

  it('takes a failure for no address', async () => {
    expect(await resolveWithin(() => Promise.reject(new Error('SERVFAIL')), 'example.com', 1_000)).toEqual(
      [],
    );
  });
});
