import { isRecentEnough, parseServerVersion } from './redis-servers.js';

describe('the server on the PATH', () => {
  it.each([
    ['Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64', [7, 0], true],
    ['Valkey server v=8.1.1 sha=00000000:0 malloc=jemalloc bits=64', [8, 1], true],
    ['Redis server v=6.2.0 sha=0', [6, 2], true],
    ['Redis server v=6.0.16 sha=0', [6, 0], false],
    ['Redis server v=5.0.14 sha=0', [5, 0], false],
  ] as const)('%s', (output, version, usable) => {
    expect(parseServerVersion(output)).toEqual(version);
    expect(isRecentEnough(version)).toBe(usable);
  });

  it('is not trusted when it does not tell its version', () => {
    expect(parseServerVersion('no such thing')).toBeUndefined();
  });
});
