import { trustedProxies } from './trusted-proxies.js';

describe('trustedProxies', () => {
  it.each([
    ['false', false],
    ['0', false],
    ['10.0.0.0/8', ['10.0.0.0/8']],
    [' 192.0.2.7 , fd00::/8,::1', ['192.0.2.7', 'fd00::/8', '::1']],
  ])('%s', (text, expected) => {
    expect(trustedProxies.parse(text)).toEqual(expected);
  });

  it.each([
    ['1', [true, false, false]],
    ['2', [true, true, false]],
    ['16', [true, true, true]],
  ])('%s believes as many, counted from the gateway', (text, expected) => {
    const believes = trustedProxies.parse(text) as (address: string, hop: number) => boolean;
    expect([0, 1, 2].map((hop) => believes('192.0.2.1', hop))).toEqual(expected);
  });

  it.each([
    '17',
    '-1',
    '1.5',
    'all',
    '*',
    'loopback',
    '10.0.0.0/0',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/8/8',
    ',',
  ])('%s is refused', (text) => {
    expect(trustedProxies.safeParse(text).error?.issues[0]?.message).toMatch(/^must be false, the number/);
  });

  it('believes not everybody, and says why', () => {
    expect(trustedProxies.safeParse('true').error?.issues[0]?.message).toMatch(
      /^believing every proxy lets a client choose its own address; it must be/,
    );
  });
});
