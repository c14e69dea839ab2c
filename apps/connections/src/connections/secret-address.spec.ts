import { joinAddress, splitAddress } from './secret-address.js';

describe('an address that authenticates by itself', () => {
  it.each([
    ['https://mcp.example.com/s/abc/mcp?key=1#part', 'https://mcp.example.com', '/s/abc/mcp?key=1'],
    ['https://mcp.example.com:8443?key=1', 'https://mcp.example.com:8443', '/?key=1'],
    ['https://mcp.example.com//evil.example/x', 'https://mcp.example.com', '//evil.example/x'],
  ])('%s is shown as %s', (address, origin, path) => {
    const split = splitAddress(address);
    expect(split).toEqual({ origin, path });
    expect(new URL(joinAddress(split)).origin).toBe(origin);
    expect(joinAddress(split)).toBe(`${origin}${path}`);
  });
});
