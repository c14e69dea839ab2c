import { RefusedAddresses } from './refused-addresses.js';

describe('RefusedAddresses', () => {
  let now: number;
  let refused: RefusedAddresses;

  beforeEach(() => {
    now = 0;
    refused = new RefusedAddresses(() => now);
  });

  it('knows an address until its time is over', () => {
    refused.add('192.0.2.1', 2);
    expect(refused.waitOf('192.0.2.1')).toBe(2);
    now = 1_001;
    expect(refused.waitOf('192.0.2.1')).toBe(1);
    expect(refused.waitOf('192.0.2.2')).toBeUndefined();
    now = 2_000;
    expect(refused.waitOf('192.0.2.1')).toBeUndefined();
  });

  it('does not grow without end: the oldest are forgotten', () => {
    for (let index = 0; index <= 10_000; index += 1) refused.add(`address ${index}`, 60);
    expect(refused.waitOf('address 0')).toBeUndefined();
    expect(refused.waitOf('address 1')).toBe(60);
    expect(refused.waitOf('address 10000')).toBe(60);
  });
});
