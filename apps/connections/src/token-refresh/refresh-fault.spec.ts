import { OAuthFailure } from '../oauth-client/oauth-failure.js';
import { refreshFault } from './refresh-fault.js';

const native = { type: 'native', refresh_failures: 0 } as const;
const noGrant = new OAuthFailure('refused', 'No.', 'invalid_grant');
const noClient = new OAuthFailure('refused', 'No.', 'invalid_client', true);

describe('the fault of a refresh in vain', () => {
  it('passes where the provider has not refused', () => {
    for (const error of [new OAuthFailure('away', 'Later.'), new OAuthFailure('invalid', '?'), new Error()]) {
      expect(refreshFault(native, error, true)).toBe('passing');
    }
  });

  it('is the operator’s where the client is refused, however long it is', () => {
    expect(refreshFault({ ...native, refresh_failures: 1_000 }, noClient, true)).toBe('client');
    expect(refreshFault({ ...native, type: 'custom_mcp' }, noClient, false)).toBe('consent');
  });

  it('is that of a consent which the client that it was given to cannot use', () => {
    expect(refreshFault(native, noGrant, false)).toBe('consent');
  });

  it('is that of a replaced client for a day of tries, in which the setting may be put back', () => {
    const after = (failures: number) =>
      refreshFault({ ...native, refresh_failures: failures }, noGrant, true);
    // Up to ten minutes apart.
    expect([0, 1, 100, 151, 152].map(after)).toEqual([
      ...['replacement', 'replacement', 'replacement', 'replacement'],
      'consent',
    ]);
  });
});
