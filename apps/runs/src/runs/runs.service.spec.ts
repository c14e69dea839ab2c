import { parseAllowedRanges } from '@aos/egress';
import { CallbackAddresses } from './runs.service.js';

const known: Record<string, string[]> = {
  'outside.example.com': ['93.184.216.34'],
  'inside.example.com': ['93.184.216.34', '10.0.0.5'],
};

const addresses = new CallbackAddresses({
  allowed: parseAllowedRanges(''),
  resolve: (hostname) => Promise.resolve(known[hostname] ?? []),
});

describe('CallbackAddresses', () => {
  it.each([
    ['https://outside.example.com/hook?a=1', 'https://outside.example.com/hook?a=1'],
    ['HTTPS://Outside.Example.com.:443/a/../hook', 'https://outside.example.com/hook'],
    ['https://unknown.example.com/', 'https://unknown.example.com/'],
  ])('accepts %s in its plain spelling', async (text, spelling) => {
    expect(await addresses.accept(text, 'webhook_url')).toBe(spelling);
  });

  it.each([
    ['a name of the inside', 'https://inside.example.com/', 'resolves to a private'],
    ['an address of the inside', 'http://127.0.0.1/', 'private, local or reserved'],
    ['what is too long once it is encoded', `https://outside.example.com/${'ä'.repeat(400)}`, 'longer than'],
  ])('refuses %s', async (_, text, reason) => {
    await expect(addresses.accept(text, 'webhook_url')).rejects.toMatchObject({
      code: 'invalid_webhook_url',
      message: expect.stringMatching(new RegExp(`^webhook_url: .*${reason}`)),
    });
  });
});
