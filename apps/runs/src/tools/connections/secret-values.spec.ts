import { SecretValues } from './secret-values.js';

function secretsOf(headers: Record<string, string>, ...publicNames: string[]): SecretValues {
  const secrets = new SecretValues();
  secrets.add(headers, publicNames);
  return secrets;
}

describe('secret values', () => {
  const secrets = secretsOf(
    { Authorization: 'Bearer s3cr3t-token', 'x-key': 'other-key', 'x-v': '2022-06-28' },
    'x-v',
  );

  it('are hidden with their scheme and without it, wherever they stand', () => {
    expect(
      secrets.hideWithin({
        text: 'You sent Bearer s3cr3t-token.',
        nested: [{ 'key s3cr3t-token': 'a=other-key&b=other-key' }],
        untouched: [1, null, true, '2022-06-28'],
      }),
    ).toEqual({
      text: 'You sent [hidden].',
      nested: [{ 'key [hidden]': 'a=[hidden]&b=[hidden]' }],
      untouched: [1, null, true, '2022-06-28'],
    });
  });

  it('are hidden in addresses that authenticate by themselves, whole and in part', () => {
    const secret = new SecretValues();
    secret.addAddress('https://mcp.example.com/servers/0123456789abcdef/mcp?token=abcdef');
    expect(secret.hideIn('POST https://mcp.example.com/servers/0123456789abcdef/mcp?token=abcdef')).toBe(
      'POST [hidden]',
    );
    expect(secret.hideIn('No server 0123456789abcdef among the servers, token abcdef')).toBe(
      'No server [hidden] among the servers, token [hidden]',
    );
  });

  it('are hidden in bytes, which are otherwise left alone', () => {
    const binary = Buffer.from([0, 255, 254, 1]);
    expect(secrets.hideInBytes(binary)).toBe(binary);
    const mixed = Buffer.concat([binary, Buffer.from('other-key'), binary]);
    expect(secrets.hideInBytes(mixed)).toEqual(Buffer.concat([binary, Buffer.from('[hidden]'), binary]));
  });

  it('are hidden as JSON and addresses spell them', () => {
    const odd = secretsOf({ 'x-key': 'a"b/c d' });
    expect(odd.hideIn(`${JSON.stringify({ key: 'a"b/c d' })} ?key=${encodeURIComponent('a"b/c d')}`)).toBe(
      '{"key":"[hidden]"} ?key=[hidden]',
    );
  });

  it('that are very short are let be', () => {
    expect(secretsOf({ 'x-flag': 'on' }).hideIn('on and on')).toBe('on and on');
  });
});
