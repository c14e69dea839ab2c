import { explainBadAddress, publicPathOf, withoutPublicPath } from './public-path.js';

describe('publicPathOf', () => {
  it.each([
    ['https://agents.example.com', ''],
    ['https://agents.example.com/', ''],
    ['https://example.com/agents', '/agents'],
    ['https://example.com/tools/agents//', '/tools/agents'],
  ])('of %s is "%s"', (address, path) => {
    expect(publicPathOf(address)).toBe(path);
  });
});

describe('withoutPublicPath', () => {
  it.each([
    // A proxy that keeps the path.
    ['/aos', '/'],
    ['/aos/', '/'],
    ['/aos?x=1', '/?x=1'],
    ['/aos/v2/teams?limit=1&x=/aos/', '/v2/teams?limit=1&x=/aos/'],
    ['/aos/console/runs/%2Faos', '/console/runs/%2Faos'],
    ['/aos/.well-known/oauth-authorization-server', '/.well-known/oauth-authorization-server'],
    // One that takes it off.
    ['/', '/'],
    ['/v2/teams?limit=1', '/v2/teams?limit=1'],
    ['/.well-known/oauth-protected-resource/v2/mcp', '/.well-known/oauth-protected-resource/v2/mcp'],
    // Well-known documents of an address with a path.
    ['/.well-known/oauth-authorization-server/aos', '/.well-known/oauth-authorization-server'],
    ['/.well-known/oauth-protected-resource/aos/v2/mcp?x', '/.well-known/oauth-protected-resource/v2/mcp?x'],
    // Of others.
    ['/aosx/v2/teams', '/aosx/v2/teams'],
    ['/v2/aos/teams', '/v2/aos/teams'],
    ['/.well-known/oauth-authorization-server/aosx', '/.well-known/oauth-authorization-server/aosx'],
    ['*', '*'],
    ['', ''],
  ])('of %s is %s', (url, expected) => {
    expect(withoutPublicPath(url, '/aos')).toBe(expected);
  });
});

describe('explainBadAddress', () => {
  it.each([
    'https://example.com',
    'http://127.0.0.1:8080/',
    'https://example.com/a/b-c_d.e~f',
    'https://x/v2x',
  ])('takes %s', (address) => {
    expect(explainBadAddress(address)).toBeUndefined();
  });

  it.each([
    ['https://example.com/?x=1', 'query'],
    ['https://example.com/#x', 'fragment'],
    ['https://user@example.com/', 'user'],
    ['https://example.com/a%20b', 'letters'],
    ['https://example.com/a"b', 'letters'],
    ['https://example.com/a//b', 'letters'],
    ['https://example.com/v2', 'begins'],
    ['https://example.com/console/agents', 'begins'],
    ['https://example.com/.well-known', 'begins'],
  ])('refuses %s', (address, reason) => {
    expect(explainBadAddress(address)).toContain(reason);
  });
});
