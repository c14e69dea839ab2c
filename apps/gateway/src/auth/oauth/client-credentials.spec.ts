import type { GrantedScope } from '@aos/contracts';
import { clientCredentials, tokenScopes } from './client-credentials.js';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const form = { client_id: 'form-id', client_secret: 'form-secret' };

describe('clientCredentials', () => {
  it('come from HTTP Basic, where both parts are form-encoded', () => {
    expect(clientCredentials(basic('id:secret'), {})).toEqual({ clientId: 'id', clientSecret: 'secret' });
    expect(clientCredentials(basic('i%3Ad:s%25'), {})).toEqual({ clientId: 'i:d', clientSecret: 's%' });
    expect(clientCredentials(basic('id:a:b'), {})).toEqual({ clientId: 'id', clientSecret: 'a:b' });
  });

  it('come from the form where there is no header', () => {
    expect(clientCredentials(undefined, form)).toEqual({ clientId: 'form-id', clientSecret: 'form-secret' });
  });

  it.each([
    [undefined, {}],
    [undefined, { client_id: 'a' }],
    [undefined, { client_id: ['a'], client_secret: 'b' }],
    ['Bearer x', form],
    ['Basic', form],
    ['Basic ***', form],
    [basic('%zz:x'), form],
  ])('%j with %j are none', (header, fields) => {
    expect(clientCredentials(header, fields)).toBeUndefined();
  });
});

describe('tokenScopes', () => {
  const held: GrantedScope[] = ['runs:read', 'team:read'];

  it('are all of the client’s where none are asked for', () => {
    expect(tokenScopes(held, undefined)).toEqual(held);
  });

  it.each([
    [held, 'runs:read', ['runs:read']],
    [held, ' team:read  runs:read ', ['team:read', 'runs:read']],
    [held, 'runs:read runs:read', ['runs:read']],
    [['*'] as GrantedScope[], 'billing:read', ['billing:read']],
    [['*'] as GrantedScope[], '*', ['*']],
  ])('of %j, %j gives %j', (of, asked, expected) => {
    expect(tokenScopes(of, asked)).toEqual(expected);
  });

  it.each([' ', 'no:scope', 'runs:read no:scope', 'billing:read', '*', ['runs:read'], 3])(
    '%j is refused',
    (asked) => {
      expect(tokenScopes(held, asked)).toBeUndefined();
    },
  );
});
