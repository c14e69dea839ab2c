import type { Principal } from '@aos/contracts';
import { CredentialCache } from './credential-cache.js';

const principal: Principal = { kind: 'api_key', credentialId: 'k', teamId: 't', scopes: ['*'] };

describe('CredentialCache', () => {
  let now: number;
  let reads: number;
  let cache: CredentialCache;

  beforeEach(() => {
    now = 1_000;
    reads = 0;
    cache = new CredentialCache(() => now);
  });

  const read = (result: Principal | undefined) => async () => {
    reads += 1;
    return result;
  };

  it('shares one look-up among those who ask together and soon after', async () => {
    const together = await Promise.all([cache.get('a', read(principal)), cache.get('a', read(principal))]);
    expect(together).toEqual([principal, principal]);
    now += 499;
    await cache.get('a', read(principal));
    expect(reads).toBe(1);
  });

  it('looks again after half a second, however often it was asked since', async () => {
    await cache.get('a', read(principal));
    for (let step = 0; step < 4; step += 1) {
      now += 125;
      await cache.get('a', read(undefined));
    }
    expect(reads).toBe(2);
    expect(await cache.get('a', read(undefined))).toBeUndefined();
  });

  it('counts the age from before the look-up: what was revoked meanwhile is not kept longer', async () => {
    let finish: (value: Principal) => void = () => undefined;
    const slow = cache.get('a', () => new Promise((resolve) => (finish = resolve)));
    now += 500;
    finish(principal);
    await slow;
    expect(await cache.get('a', read(undefined))).toBeUndefined();
    expect(reads).toBe(1);
  });

  it('remembers neither an unknown credential nor a failure', async () => {
    await cache.get('a', read(undefined));
    await cache.get('a', read(principal));
    expect(reads).toBe(2);
    await expect(cache.get('b', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.get('b', read(principal))).toBe(principal);
  });

  it('keeps credentials apart, and gives up the oldest when it is full', async () => {
    for (let index = 0; index <= 10_000; index += 1) await cache.get(`key ${index}`, read(principal));
    reads = 0;
    await cache.get('key 10000', read(principal));
    expect(reads).toBe(0);
    await cache.get('key 0', read(principal));
    expect(reads).toBe(1);
  });
});
