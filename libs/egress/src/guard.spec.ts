import { hostileResolutions, hostileUrls, honestUrls } from '../test/hostile-urls.js';
import { parseAllowedRanges } from './rules/address-rules.js';
import { EgressGuard } from './guard.js';

const none = parseAllowedRanges('');
const publicAddress = '93.184.215.14';

function guardWhere(addresses: readonly string[], allowed = none): EgressGuard {
  return new EgressGuard({ allowed, resolve: () => Promise.resolve(addresses) });
}

describe('EgressGuard', () => {
  it.each(Object.entries(hostileResolutions))(
    'refuses a name that resolves to %s',
    async (_kind, addresses) => {
      expect(await guardWhere(addresses).check('https://hooks.example.com/')).toEqual({
        ok: false,
        reason: 'The host of the URL resolves to a private, local or reserved address.',
      });
    },
  );

  it('refuses every hostile URL without asking for its name', async () => {
    const asked: string[] = [];
    const resolve = (name: string): Promise<string[]> =>
      Promise.resolve(asked.push(name) ? [publicAddress] : []);
    const guard = new EgressGuard({ allowed: none, resolve });
    for (const text of Object.values(hostileUrls).flat()) {
      expect([text, (await guard.check(text)).ok]).toEqual([text, false]);
    }
    expect(asked).toEqual([]);
  });

  it('accepts every honest URL with a public address', async () => {
    for (const [text] of honestUrls) {
      expect([text, (await guardWhere([publicAddress, '2606:4700:4700::1111']).check(text)).ok]).toEqual([
        text,
        true,
      ]);
    }
  });

  it('asks for the name as it will be connected to', async () => {
    const asked: string[] = [];
    const resolve = (name: string): Promise<string[]> =>
      Promise.resolve(asked.push(name) ? [publicAddress] : []);
    await new EgressGuard({ allowed: none, resolve }).check('https://BÜCHER.example.:8443/x');
    expect(asked).toEqual(['xn--bcher-kva.example']);
  });

  it('accepts a name that does not resolve, fails to, or not in time', async () => {
    const url = 'https://hooks.example.com/';
    expect((await guardWhere([]).check(url)).ok).toBe(true);
    const failing = new EgressGuard({ allowed: none, resolve: () => Promise.reject(new Error('SERVFAIL')) });
    expect((await failing.check(url)).ok).toBe(true);
    const silent = () => new Promise<string[]>(() => undefined);
    const late = new EgressGuard({ allowed: none, resolve: silent, resolveTimeoutMs: 20 });
    expect((await late.check(url)).ok).toBe(true);
  });

  it('opens allowed ranges for what names resolve to', async () => {
    const allowed = parseAllowedRanges('127.0.0.0/8');
    expect((await guardWhere(['127.0.0.1'], allowed).check('http://hooks.example.com/')).ok).toBe(true);
    expect((await guardWhere(['127.0.0.1', '10.0.0.1'], allowed).check('http://hooks.example.com/')).ok).toBe(
      false,
    );
    expect((await guardWhere(['127.0.0.1'], allowed).check('http://localhost/')).ok).toBe(false);
  });
});
